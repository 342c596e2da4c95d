/** Source: https://docs.rs/solana-transaction-error and solana-instruction-error. */
import type { FailedTransactionMetadata } from 'litesvm'

/** In the order of litesvm's codes. */
const transactionErrors = [
  'AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee InvalidAccountForFee AlreadyProcessed',
  'BlockhashNotFound CallChainTooDeep MissingSignatureForFee InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure',
  'ClusterMaintenance AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount',
  'WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks AddressLookupTableNotFound',
  'InvalidAddressLookupTableOwner InvalidAddressLookupTableData InvalidAddressLookupTableIndex InvalidRentPayingAccount',
  'WouldExceedMaxVoteCostLimit WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded',
  'InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled',
].flatMap((line) => line.split(' '))

const instructionErrors = [
  'GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds IncorrectProgramId',
  'MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount UnbalancedInstruction ModifiedProgramId',
  'ExternalAccountLamportSpend ExternalAccountDataModified ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex',
  'ExecutableModified RentEpochModified NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed',
  'AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified ExecutableLamportChange',
  'ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount ReentrancyNotAllowed MaxSeedLengthExceeded',
  'InvalidSeeds InvalidRealloc ComputationalBudgetExceeded PrivilegeEscalation ProgramEnvironmentSetupFailure',
  'ProgramFailedToComplete ProgramFailedToCompile Immutable IncorrectAuthority AccountNotRentExempt InvalidAccountOwner',
  'ArithmeticOverflow UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded',
  'MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError',
].flatMap((line) => line.split(' '))

export type InstructionFailure = string | { readonly Custom: number } | { readonly BorshIoError: string }
export type TransactionFailure =
  | string
  | { readonly InstructionError: readonly [number, InstructionFailure] }
  | { readonly DuplicateInstruction: number }
  | { readonly InsufficientFundsForRent: { readonly account_index: number } }
  | { readonly ProgramExecutionTemporarilyRestricted: { readonly account_index: number } }

export function failureOf(failed: FailedTransactionMetadata): TransactionFailure {
  const failure = failed.err()
  if (typeof failure === 'number') return transactionErrors[failure] ?? 'SanitizeFailure'
  if ('err' in failure) return { InstructionError: [failure.index, instructionFailure(failure.err())] }
  if ('index' in failure) return { DuplicateInstruction: failure.index }
  const { accountIndex } = failure
  const restricted = failure.constructor.name === 'TransactionErrorProgramExecutionTemporarilyRestricted'
  return restricted
    ? { ProgramExecutionTemporarilyRestricted: { account_index: accountIndex } }
    : { InsufficientFundsForRent: { account_index: accountIndex } }
}

function instructionFailure(failure: number | { code: number } | { msg: string }): InstructionFailure {
  if (typeof failure === 'number') return instructionErrors[failure] ?? 'GenericError'
  return 'code' in failure ? { Custom: failure.code } : { BorshIoError: failure.msg }
}

/** Others use their name in words. */
const sentences: Readonly<Record<string, string>> = {
  AccountNotFound: 'Attempt to debit an account but found no record of a prior credit.',
  AlreadyProcessed: 'This transaction has already been processed',
  BlockhashNotFound: 'Blockhash not found',
  InsufficientFundsForFee: 'Insufficient funds for fee',
  ProgramAccountNotFound: 'Attempt to load a program that does not exist',
  SignatureFailure: 'Transaction did not pass signature verification',
  SanitizeFailure: 'Transaction failed to sanitize accounts offsets correctly',
}

export function describeFailure(failure: TransactionFailure): string {
  if (typeof failure === 'string') return sentences[failure] ?? words(failure)
  if ('DuplicateInstruction' in failure)
    return `Transaction contains a duplicate instruction (${failure.DuplicateInstruction}) that is not allowed`
  if ('InsufficientFundsForRent' in failure)
    return `Transaction results in an account (${failure.InsufficientFundsForRent.account_index}) with insufficient funds for rent`
  if ('ProgramExecutionTemporarilyRestricted' in failure)
    return `Execution of the program referenced by account at index ${failure.ProgramExecutionTemporarilyRestricted.account_index} is temporarily restricted.`
  const [index, inner] = failure.InstructionError
  const said =
    typeof inner === 'string'
      ? words(inner)
      : 'Custom' in inner
        ? `custom program error: 0x${inner.Custom.toString(16)}`
        : `Failed to serialize or deserialize account data: ${inner.BorshIoError}`
  return `Error processing Instruction ${index}: ${said}`
}

/** `InsufficientFunds` → `insufficient funds`. */
const words = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
