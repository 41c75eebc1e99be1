"""What is asked, and when it is done."""
