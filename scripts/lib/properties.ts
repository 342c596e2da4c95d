/** A fixed seed, for the same results everywhere. `PROPERTY_SEED=2 npm run unit` uses another. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
