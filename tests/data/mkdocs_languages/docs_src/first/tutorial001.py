from kettle import Kettle

kettle = Kettle()
