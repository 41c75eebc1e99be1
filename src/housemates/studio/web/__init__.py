"""What browsers ask for: pages, sockets and their guards."""
