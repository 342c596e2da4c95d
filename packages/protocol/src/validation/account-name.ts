import * as z from 'zod/mini'

/** Account name (spec §5): at least 4 letters, digits or hyphens. A DNS label, so 63 at most. */
export const AccountName = z.string().check(z.regex(/^[a-zA-Z0-9-]{4,63}$/))
