/** The well-known phrase of development chains. Its keys are public: never send anything of value to them. */
export const devnetMnemonic = 'test test test test test test test test test test test junk'
