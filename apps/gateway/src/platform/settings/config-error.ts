export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  constructor(readonly problems: readonly string[]) {
    super(`The gateway's configuration is not right:\n${problems.map((problem) => `  ${problem}`).join('\n')}`)
  }
}
