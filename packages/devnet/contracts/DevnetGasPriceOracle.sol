// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// What a rollup of the OP stack says of its fees beside gas × price, at the address where wallets look for it. Every byte costs the same, so that a test can reckon
/// with it; nobody charges it here, for this chain is no rollup.
/// Source: https://specs.optimism.io/protocol/fjord/predeploys.html#gaspriceoracle and …/isthmus/predeploys.html#gaspriceoracle
contract DevnetGasPriceOracle {
    string public constant version = "devnet";
    bool public constant isFjord = true;
    bool public constant isIsthmus = true;

    /// In wei, for a byte of the layer below.
    uint256 public constant feePerByte = 2000 gwei;
    /// The signature, which an unsigned transaction has yet to get.
    uint256 private constant signatureBytes = 68;

    function getL1Fee(bytes calldata unsignedTransaction) external pure returns (uint256) {
        return feeOf(unsignedTransaction.length);
    }

    function getL1FeeUpperBound(uint256 unsignedSize) external pure returns (uint256) {
        return feeOf(unsignedSize);
    }

    function getOperatorFee(uint256 gasUsed) external pure returns (uint256) {
        return gasUsed * 1 gwei + 50000 gwei;
    }

    function feeOf(uint256 unsignedSize) private pure returns (uint256) {
        return (unsignedSize + signatureBytes) * feePerByte;
    }
}
