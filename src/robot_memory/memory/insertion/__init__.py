"""How a sentence enters memory: by what it claims."""
