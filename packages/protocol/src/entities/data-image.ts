import * as z from 'zod/mini'

const checks = [z.maxLength(65_536), z.regex(/^data:image\//)] as const

/** An image as `data:` URI, which causes no request. */
export const DataImage = z.string().check(...checks)

/** In a dapp's options: surrounding white space is dropped. */
export const OptionImage = z.string().check(z.trim(), ...checks)
