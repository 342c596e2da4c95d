/** Leaves the frame's thread free. */
import { expose } from 'comlink'
import { solveChallenge } from './challenge'

const work = { solve: solveChallenge }
export type ChallengeWork = typeof work

expose(work)
