import { standardChains } from '@postern/protocol'
import { expect, test } from 'vitest'
import { standards } from '../namespaces/standard-wallet'
import { fromStandardChain, toStandardChain } from './standard-chains'

test.each(Object.entries(standardChains))('%s is %s', (name, id) => {
  expect([fromStandardChain(name), toStandardChain(id)]).toEqual([id, name])
})

test.each([['constructor'], ['__proto__'], ['solana:other'], [7], [undefined]])('%s is not a network', (name) => {
  expect(fromStandardChain(name)).toBeUndefined()
  expect(toStandardChain(name)).toBeUndefined()
})

test('the beginning of an id names one network', () => {
  const idPrefixes: Record<string, string> = Object.assign(
    {},
    ...Object.values(standards).map((each) => each.idPrefixes),
  )
  expect(Object.keys(idPrefixes)).toEqual(Object.keys(standardChains))
  for (const [name, id] of Object.entries(standardChains))
    expect(Object.entries(idPrefixes).filter(([, prefix]) => id.startsWith(prefix))).toEqual([[name, idPrefixes[name]]])
})
