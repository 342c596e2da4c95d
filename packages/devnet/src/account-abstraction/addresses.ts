/**
 * CREATE2 derives each address from the code, so it is the same on every chain.
 * Sources: https://github.com/eth-infinitism/account-abstraction/releases/tag/v0.7.0,
 * https://github.com/safe-global/safe-deployments (1.4.1),
 * https://github.com/safe-global/safe-modules/blob/4337/v0.3.0/modules/4337/CHANGELOG.md
 */

import { pbkdf2Sync } from 'node:crypto'
import { type Address, concat, encodeAbiParameters, getContractAddress, type Hex, padHex } from 'viem'
import { HDKey, hdKeyToAccount } from 'viem/accounts'
import { devnetMnemonic } from '../mnemonic'
import { creationCode } from './artifacts'

/** anvil starts with this factory. The factory below has the same code. */
export const deterministicProxy = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
export const safeSingletonFactory = '0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7'

export const entryPoint = '0x0000000071727De22E5E9d8BAf0edAc6f37da032'
/** Created by the entry point's constructor. */
export const senderCreator = '0xEFC2c1444eBCC4Db75e7613d20C6a62fF67A167C'

export const safeContracts = {
  singleton: '0x41675C099F32341bf84BFc5382aF534df5C7461a',
  singletonL2: '0x29fcB43b46531BcA003ddC8FCB67FFE91900C762',
  proxyFactory: '0x4e1DCf7AD4e460CfD30791CCC4F9c8a4f820ec67',
  fallbackHandler: '0xfd0732Dc9E303f09fCEf3a7388Ad10A83459Ec99',
  multiSend: '0x38869bf66a61cF6bDB996A6aE40D5853Fd43B526',
  multiSendCallOnly: '0x9641d764fc13c8B624c04430C7356C1C7C8102e2',
  module4337: '0x75cf11467937ce3F2f357CE24ffc3DBF8fD5c226',
  moduleSetup: '0x2dd68b007B46fBe91B9A7c3EDa5A7a1063cB5b47',
} as const

/** Deploys, bundles and signs for the paymaster, apart from spending accounts. m/44'/60'/0'/0/1000. */
export const operator = hdKeyToAccount(
  HDKey.fromMasterSeed(pbkdf2Sync(devnetMnemonic, 'mnemonic', 2048, 64, 'sha512')),
  { addressIndex: 1_000 },
)

export type Deployment = {
  readonly name: string
  readonly address: Address
  readonly proxy: Address
  readonly salt: Hex
  readonly code: Hex
}

const zeroSalt = padHex('0x', { size: 32 })
const entryPointSalt = '0x90d8084deab30c2a37c45e8d47f49f2f7965183cb6990a98943ef94940681de3'

/** In order of deployment. Throws if a package's code does not match its address. */
export function deployments(): Deployment[] {
  const address = { type: 'address' } as const
  const safe = (name: string, at: Address, folder = ''): Deployment => ({
    name,
    address: at,
    proxy: safeSingletonFactory,
    salt: zeroSalt,
    code: creationCode(`@safe-global/safe-contracts/build/artifacts/contracts/${folder}${name}.sol/${name}.json`),
  })
  const module = (name: string, at: Address, argument: Hex = '0x'): Deployment => ({
    name,
    address: at,
    proxy: deterministicProxy,
    salt: zeroSalt,
    code: concat([creationCode(`@safe-global/safe-4337/build/artifacts/contracts/${name}.sol/${name}.json`), argument]),
  })
  const all: Deployment[] = [
    {
      name: 'EntryPoint',
      address: entryPoint,
      proxy: deterministicProxy,
      salt: entryPointSalt,
      code: creationCode('@account-abstraction/contracts/artifacts/EntryPoint.json'),
    },
    safe('Safe', safeContracts.singleton),
    safe('SafeL2', safeContracts.singletonL2),
    safe('SafeProxyFactory', safeContracts.proxyFactory, 'proxies/'),
    safe('CompatibilityFallbackHandler', safeContracts.fallbackHandler, 'handler/'),
    safe('MultiSend', safeContracts.multiSend, 'libraries/'),
    safe('MultiSendCallOnly', safeContracts.multiSendCallOnly, 'libraries/'),
    module('Safe4337Module', safeContracts.module4337, encodeAbiParameters([address], [entryPoint])),
    module('SafeModuleSetup', safeContracts.moduleSetup),
    paymasterDeployment(),
  ]
  for (const each of all) {
    if (addressOf(each) !== each.address) throw new Error(`${each.name} would not be deployed at ${each.address}.`)
  }
  return all
}

/** The paymaster checks the operator's signature. Same address on both chains. */
export function paymasterDeployment(): Deployment {
  const parameters = [{ type: 'address' }, { type: 'address' }] as const
  const deployed = {
    name: 'VerifyingPaymaster',
    proxy: deterministicProxy,
    salt: zeroSalt,
    code: concat([
      creationCode('@account-abstraction/contracts/artifacts/VerifyingPaymaster.json'),
      encodeAbiParameters(parameters, [entryPoint, operator.address]),
    ]),
  } as const
  return { ...deployed, address: addressOf(deployed) }
}

const addressOf = ({ proxy, salt, code }: Pick<Deployment, 'proxy' | 'salt' | 'code'>) =>
  getContractAddress({ opcode: 'CREATE2', from: proxy, salt, bytecode: code })
