"""What many days have in common becomes a memory of its own: routines, company, usual places; with what it rests on."""
