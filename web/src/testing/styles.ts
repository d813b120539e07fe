/** Stands for every style sheet: a class is named as in its module. */
export default new Proxy({}, { get: (_sheet, name) => String(name) });
