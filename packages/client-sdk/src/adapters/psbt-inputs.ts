import { failure } from '../errors'
import { member } from './call'

export type InputToSign = {
  readonly index: number
  readonly address: string
  readonly sighashTypes?: readonly number[]
}

/** A type that is none would be read as another one, and sign less of the transaction than was asked for. */
function isSighash(type: unknown): type is number {
  return typeof type === 'number' && [0, 1, 2, 3, 0x81, 0x82, 0x83].includes(type)
}

/** The inputs that a request names; what is none is INVALID_PARAMS, because what a wallet signs instead of it would be anybody's guess. */
export function readInputs(list: unknown): readonly InputToSign[] {
  if (!Array.isArray(list)) throw failure('INVALID_PARAMS')
  return list.map((each: unknown) => {
    const index = member(each, 'index')
    const address = member(each, 'address')
    const types = member(each, 'sighashTypes')
    if (typeof index !== 'number' || typeof address !== 'string') throw failure('INVALID_PARAMS')
    if (types === undefined) return { index, address }
    if (!Array.isArray(types) || !types.every(isSighash)) throw failure('INVALID_PARAMS')
    return { index, address, sighashTypes: types }
  })
}

/** The inputs by the address that signs them and how. */
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
