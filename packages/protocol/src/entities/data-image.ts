import * as z from 'zod/mini'

const checks = [z.maxLength(65_536), z.regex(/^data:image\//)] as const

/** An image as `data:` URI: loading it makes no request. */
export const DataImage = z.string().check(...checks)

/** In a dapp's options. Surrounding white space is dropped. */
export const OptionImage = z.string().check(z.trim(), ...checks)
