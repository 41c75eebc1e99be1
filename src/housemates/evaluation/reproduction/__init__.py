"""The papers' tables, repeated by one command: what makes a row is data, and all that is made goes on."""
