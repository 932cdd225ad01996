//! Statement text → what it does to the schema in force.
