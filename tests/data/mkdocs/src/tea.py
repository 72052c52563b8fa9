from kettle import Pot


# --8<-- [start:brew]
def brew(pot: Pot) -> None:
    pot.boil()
# --8<-- [end:brew]
