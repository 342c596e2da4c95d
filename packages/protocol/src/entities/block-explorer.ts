import * as z from 'zod/mini'

export const HttpUrl = z.url({ protocol: /^https?$/ })
export const BlockExplorer = z.strictObject({ name: z.string(), url: HttpUrl })
