// Run by the image of MongoDB when its volume is empty: Lode's user, with the rights on its database that Lode needs.
// `dbAdmin` is for the validators of its collections and for indexes.
/* global db, require */
const { readFileSync } = require('node:fs');
const rights = ['readWrite', 'dbAdmin'];
db.getSiblingDB('lode').createUser({
  user: 'lode',
  pwd: readFileSync('/run/secrets/mongodb_password', 'utf8').trim(),
  roles: rights.map((role) => ({ role, db: 'lode' })),
});
