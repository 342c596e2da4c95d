import { Failure } from '@postern/protocol/failure'

/** EIP-5792, "Error codes". */
const failures = {
  unsupportedCapability: [5700, 'A capability that the calls need is not supported'],
  unsupportedChain: [5710, 'The calls are for another network than the connected one'],
  duplicateId: [5720, 'There are calls of this id already'],
  unknownId: [5730, 'There are no calls of this id'],
  tooLarge: [5740, 'There are too many calls'],
  notAtomic: [5760, 'The plain account cannot make several calls at once'],
} as const

export function callsFailure(name: keyof typeof failures): Failure {
  const [rpc, message] = failures[name]
  return new Failure('INVALID_PARAMS', { rpc, message })
}
