"""What the Python tests share: a running `registrar serve`, plain HTTP, and a list of checks with clear output."""
