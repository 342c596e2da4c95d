import { member } from '../../../adapters/call'
import { requestFailure } from '../../../shared/failures'

export type InputToSign = {
  readonly index: number
  readonly address: string
  readonly sighashTypes?: readonly number[]
}

/** A wallet would read an invalid type as another one, and sign less. */
function isSighash(type: unknown): type is number {
  return typeof type === 'number' && [0, 1, 2, 3, 0x81, 0x82, 0x83].includes(type)
}

/** @throws INVALID_PARAMS: a wallet might sign something else */
export function readInputs(list: unknown): readonly InputToSign[] {
  if (!Array.isArray(list)) throw requestFailure('INVALID_PARAMS')
  return list.map((each: unknown) => {
    const index = member(each, 'index')
    const address = member(each, 'address')
    const types = member(each, 'sighashTypes')
    if (typeof index !== 'number' || typeof address !== 'string') throw requestFailure('INVALID_PARAMS')
    if (types === undefined) return { index, address }
    if (!Array.isArray(types) || !types.every(isSighash)) throw requestFailure('INVALID_PARAMS')
    return { index, address, sighashTypes: types }
  })
}

export function byAddress(
  inputs: readonly InputToSign[],
): { address: string; indexes: number[]; sighash: number | undefined }[] {
  const groups = new Map<string, { address: string; indexes: number[]; sighash: number | undefined }>()
  for (const { index, address, sighashTypes: [sighash] = [] } of inputs) {
    const key = `${address} ${sighash}`
    const group = groups.get(key) ?? { address, indexes: [], sighash }
    group.indexes.push(index)
    groups.set(key, group)
  }
  return [...groups.values()]
}
