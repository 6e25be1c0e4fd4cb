"""What people do with an open card besides answering it: `acts` takes it through, and each of the others is one thing done."""
