"""Who is who: faces and voices joined into persons, their names, and every change of it explained."""
