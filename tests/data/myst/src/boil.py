import kettle
kettle.on()
