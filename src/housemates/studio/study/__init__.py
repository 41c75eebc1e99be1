"""Running a study: projects, participants, quality, exports, backups."""
