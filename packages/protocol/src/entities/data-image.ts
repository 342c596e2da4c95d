import * as z from 'zod/mini'

const checks = [z.maxLength(65_536), z.regex(/^data:image\//)] as const

/** An image as `data:` URI, so that it cannot cause a request. */
export const DataImage = z.string().check(...checks)

/** In a dapp's options: white space around it is dropped. */
export const OptionImage = z.string().check(z.trim(), ...checks)
