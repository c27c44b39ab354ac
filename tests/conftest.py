from hypothesis import settings

# The same examples on every run; no deadline, because a busy machine would miss it at random.
settings.register_profile("repeatable", derandomize=True, deadline=None)
settings.load_profile("repeatable")
