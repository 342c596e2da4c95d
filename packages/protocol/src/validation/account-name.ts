import * as z from 'zod/mini'

/** 4 or more letters, digits or hyphens (spec §5); 63 at most, as a DNS label. */
export const AccountName = z.string().check(z.regex(/^[a-zA-Z0-9-]{4,63}$/))
