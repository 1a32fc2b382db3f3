// The functions of the host. The global is removed before any other code runs.
const host = globalThis['plumb host'];
delete globalThis['plumb host'];
export default host;
