declare const __LECTERN_VERSION__: string

/** Version of this build, from package.json. */
export const version: string = __LECTERN_VERSION__
