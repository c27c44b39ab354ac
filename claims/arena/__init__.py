"""The arena: false claims and true ones, made from the registered ones, and what the provers say of them."""
