/** Set by the build. */
declare const __POSTERN_VERSION__: string
declare const __POSTERN_HOST__: string

/** Version of this package. */
export const version: string = __POSTERN_VERSION__

/** Where the modal is served when a dapp does not say. */
export const defaultHost: string = __POSTERN_HOST__
