"""Agents that do next to nothing, so that what is measured is the way to them and back."""


class Blind:
    """Looks at nothing."""

    def reset(self, brief):
        """Whatever needs no arguments can be walked with."""
        names = [offer.name for offer in brief.offers if not offer.arguments]
        self.names = [name for name in names if "Turn" in name or "Rotate" in name] or names
        self.count = 0

    def act(self, percept):
        """The next one of them, around and around."""
        self.count += 1
        return self.names[self.count % len(self.names)]


class Reader(Blind):
    """Reads what there is to read."""

    def reset(self, brief):
        """The same, where there is something to walk with."""
        super().reset(brief)
        self.names = self.names or ["Nothing"]

    def act(self, percept):
        """The same, after reading."""
        assert percept.text
        choices = [
            each for offer in percept.offers for argument in offer.arguments for each in argument.choices
        ]
        return choices[0] if percept.role == "robot" else super().act(percept)


class Looker(Blind):
    """Looks at its picture."""

    def act(self, percept):
        """The same, after a look."""
        assert percept.pictures["view"]().shape == (300, 300, 3)
        return super().act(percept)
