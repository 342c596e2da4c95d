import type { InitialState } from '../server/initial-state'
import type { Postern, Snapshot } from '../types'

/** The state of the first render: the server's, if it rendered. */
export function initialSnapshot(postern: Postern, initialState: InitialState | undefined): Snapshot {
  return initialState === undefined ? postern.getSnapshot() : { ...postern.getServerSnapshot(), ...initialState }
}
