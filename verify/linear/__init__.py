"""Linear and contextual policies before the sensors: the bugs that are planted into them."""
