"""The studio: one web application in which people play, collect, annotate, watch and compare."""
