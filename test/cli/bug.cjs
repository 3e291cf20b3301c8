// Preloaded into a run (`node --require`): a bug in what every call to a server goes through, with the key in
// what it says.
globalThis.fetch = () => {
  throw new RangeError(`cannot use ${process.env.PARTNER_API_KEY}`);
};
