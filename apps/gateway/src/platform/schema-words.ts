/** Zod Mini has no words for its issues: operators and callers would read only "Invalid input". */
import * as z from 'zod/mini'

z.config(z.locales.en())
