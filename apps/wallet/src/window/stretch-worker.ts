/** Argon2id in a thread of its own: it takes seconds, and the window stays usable meanwhile. */
import { expose } from 'comlink'
import { stretchPassphrase } from './argon2'

const work = { stretch: stretchPassphrase }
export type StretchWork = typeof work

expose(work)
