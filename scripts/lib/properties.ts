/** Seeds the property tests: another seed each run, or `PROPERTY_SEED` to repeat one (vite.config.ts). */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) })
