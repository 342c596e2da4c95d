/** Set by the build. */
declare const __POSTERN_VERSION__: string
declare const __POSTERN_HOST__: string

export const version: string = __POSTERN_VERSION__

/** Default origin of the modal. */
export const defaultHost: string = __POSTERN_HOST__
