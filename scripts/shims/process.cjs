// What readable-stream expects of `process`. There are no `versions`: libraries would take it for Node.
module.exports = { env: {}, browser: true, nextTick: (f, ...args) => queueMicrotask(() => f(...args)) };
