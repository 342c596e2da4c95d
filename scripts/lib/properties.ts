/** Seeds the property tests with `PROPERTY_SEED` (vite.config.ts). */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED) })
