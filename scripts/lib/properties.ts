/** Property tests try the same values each time, so that what holds here holds everywhere. `PROPERTY_SEED=2 npm run unit` tries others. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 1) })
