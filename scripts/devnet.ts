import '../packages/devnet/src/main'
