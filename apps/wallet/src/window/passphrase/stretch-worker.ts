/** Stretching takes seconds; the window stays responsive. */
import { expose } from 'comlink'
import { stretchPassphrase } from './argon2'

const work = { stretch: stretchPassphrase }
export type StretchWork = typeof work

expose(work)
