/** Zod Mini brings no words for its own issues: of an unknown setting, operators and callers would read only "Invalid input". */
import * as z from 'zod/mini'

z.config(z.locales.en())
