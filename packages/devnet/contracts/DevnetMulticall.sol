// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// The calls of Multicall3 (https://www.multicall3.com), at its usual address.
contract DevnetMulticall {
    struct Call { address target; bytes callData; }
    struct Call3 { address target; bool allowFailure; bytes callData; }
    struct Call3Value { address target; bool allowFailure; uint256 value; bytes callData; }
    struct Result { bool success; bytes returnData; }

    error ValueMismatch(uint256 given, uint256 spent);

    function aggregate(Call[] calldata calls) external payable returns (uint256 blockNumber, bytes[] memory returnData) {
        blockNumber = block.number;
        returnData = new bytes[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            returnData[i] = run(calls[i].target, false, 0, calls[i].callData).returnData;
        }
    }

    function tryAggregate(bool requireSuccess, Call[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = run(calls[i].target, !requireSuccess, 0, calls[i].callData);
        }
    }

    function aggregate3(Call3[] calldata calls) external payable returns (Result[] memory results) {
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            results[i] = run(calls[i].target, calls[i].allowFailure, 0, calls[i].callData);
        }
    }

    function aggregate3Value(Call3Value[] calldata calls) external payable returns (Result[] memory results) {
        uint256 spent;
        results = new Result[](calls.length);
        for (uint256 i = 0; i < calls.length; i++) {
            spent += calls[i].value;
            results[i] = run(calls[i].target, calls[i].allowFailure, calls[i].value, calls[i].callData);
        }
        if (spent != msg.value) revert ValueMismatch(msg.value, spent);
    }

    function getBasefee() external view returns (uint256) { return block.basefee; }
    function getBlockHash(uint256 blockNumber) external view returns (bytes32) { return blockhash(blockNumber); }
    function getBlockNumber() external view returns (uint256) { return block.number; }
    function getChainId() external view returns (uint256) { return block.chainid; }
    function getCurrentBlockCoinbase() external view returns (address) { return block.coinbase; }
    function getCurrentBlockGasLimit() external view returns (uint256) { return block.gaslimit; }
    function getCurrentBlockTimestamp() external view returns (uint256) { return block.timestamp; }
    function getEthBalance(address owner) external view returns (uint256) { return owner.balance; }
    function getLastBlockHash() external view returns (bytes32) { return blockhash(block.number - 1); }

    function run(address target, bool allowFailure, uint256 value, bytes calldata data)
        private
        returns (Result memory result)
    {
        (result.success, result.returnData) = target.call{value: value}(data);
        if (result.success || allowFailure) return result;
        bytes memory reason = result.returnData;
        assembly ("memory-safe") {
            revert(add(reason, 32), mload(reason))
        }
    }
}
