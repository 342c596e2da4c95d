import { connect } from 'node:net'
import { createPublicClient, http, parseUnits } from 'viem'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { devnetCollectible, devnetGasPriceOracle, devnetToken } from './evm/contracts.gen'
import { gasPriceOracleAddress } from './evm/deploy-oracle'
import { freePorts } from './http/free-ports'
import { devnetAccounts, devnetContracts } from './networks'
import { type Devnet, startDevnet } from './start-devnet'

const ports = await freePorts('evm', 'evmTwo')
const otherPorts = await freePorts('evm', 'evmTwo')

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}

describe('startDevnet', () => {
  let devnet: Devnet
  beforeAll(async () => {
    devnet = await startDevnet({ ports })
  })
  afterAll(() => devnet.stop())
  const client = (port: number) => createPublicClient({ transport: http(`http://127.0.0.1:${port}`) })
  const ada = devnetAccounts[0]?.address ?? '0x'

  test('1. two chains return their own ids and fund the accounts', async () => {
    expect(await client(ports.evm).getChainId()).toBe(31337)
    expect(await client(ports.evmTwo).getChainId()).toBe(31338)
    for (const { address } of devnetAccounts.slice(0, -1)) {
      expect(await client(ports.evmTwo).getBalance({ address })).toBe(parseUnits('10000', 18))
    }
  })

  test('the second chain reports a data fee, as a rollup does, and the first does not', async () => {
    const oracle = { address: gasPriceOracleAddress, abi: devnetGasPriceOracle.abi } as const
    const read = { ...oracle, functionName: 'getL1Fee', args: ['0x0102'] } as const
    expect(await client(ports.evmTwo).readContract(read)).toBe(70n * 2_000n * 10n ** 9n)
    expect(await client(ports.evm).getCode({ address: gasPriceOracleAddress })).toBeUndefined()
  })

  test.each(['evm', 'evmTwo'] as const)('2. the contracts are at their addresses on %s', async (key) => {
    const port = ports[key]
    const [dollars, dollarDecimals, gems, gemDecimals, owner, uri] = await client(port).multicall({
      multicallAddress: devnetContracts.multicall3,
      allowFailure: false,
      contracts: [
        { abi: devnetToken.abi, address: devnetContracts.dollar, functionName: 'balanceOf', args: [ada] },
        { abi: devnetToken.abi, address: devnetContracts.dollar, functionName: 'decimals' },
        { abi: devnetToken.abi, address: devnetContracts.gem, functionName: 'balanceOf', args: [ada] },
        { abi: devnetToken.abi, address: devnetContracts.gem, functionName: 'decimals' },
        { abi: devnetCollectible.abi, address: devnetContracts.collectible, functionName: 'ownerOf', args: [1n] },
        { abi: devnetCollectible.abi, address: devnetContracts.collectible, functionName: 'tokenURI', args: [1n] },
      ],
    })
    expect([dollars, dollarDecimals]).toEqual([parseUnits('2500', 6), 6])
    expect([gems, gemDecimals]).toEqual([parseUnits('1234.5678', 18), 18])
    expect(owner).toBe(ada)
    const metadata: unknown = JSON.parse(decodeURIComponent(uri.replace('data:application/json,', '')))
    expect(metadata).toMatchObject({
      name: 'Devnet Collectible 1',
      image: expect.stringMatching(/^data:image\/svg\+xml,<svg/),
    })
  })

  test('3. a taken port is named in the error, and the chain that started is stopped', async () => {
    const blocked = { evm: ports.evm, evmTwo: otherPorts.evmTwo }
    await expect(startDevnet({ ports: blocked })).rejects.toThrow(String(ports.evm))
    expect(await isListening(blocked.evmTwo)).toBe(false)
    expect(await isListening(ports.evm)).toBe(true)
  })

  test('3. an abort while starting leaves nothing listening', async () => {
    const abort = new AbortController()
    const starting = startDevnet({ ports: otherPorts, signal: abort.signal })
    abort.abort(new Error('cancelled by the test'))
    await expect(starting).rejects.toThrow()
    expect(await Promise.all(Object.values(otherPorts).map(isListening))).toEqual([false, false])
  })

  test('a crashed service is named, and stop still ends the others', async () => {
    const other = await startDevnet({ ports: otherPorts })
    const [first] = other.pids
    if (first === undefined) throw new Error('no process')
    process.kill(first, 'SIGKILL')
    expect(await other.failed).toMatch(/^Postern Devnet/)
    await other.stop()
    expect(await Promise.all(Object.values(otherPorts).map(isListening))).toEqual([false, false])
  })
})
