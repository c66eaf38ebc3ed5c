declare const __LECTERN_VERSION__: string

/** This build's version, from package.json. */
export const version: string = __LECTERN_VERSION__
