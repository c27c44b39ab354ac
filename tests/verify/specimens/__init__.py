"""Policies whose privacy is known: texts (`collected`), and the plain policies they vary (`common`, `strangers`)."""
