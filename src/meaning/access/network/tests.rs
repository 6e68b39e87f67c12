//! Rules of firewalls against a naive evaluator, and cases by hand.
