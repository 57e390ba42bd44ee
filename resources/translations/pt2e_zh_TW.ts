<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_TW" sourcelanguage="en">
<context>
    <name>CommandLine</name>
    <message>
        <source>Shows the PT2E quantization stages of a model side by side</source>
        <translation>並排顯示模型的 PT2E 量化各階段</translation>
    </message>
    <message>
        <source>a .pt2 file or a built-in model&apos;s name</source>
        <translation>.pt2 檔案，或內建模型的名稱</translation>
    </message>
    <message>
        <source>language of the window: en or zh_TW</source>
        <translation>視窗的語言：en 或 zh_TW</translation>
    </message>
    <message>
        <source>channels of a built-in model</source>
        <translation>內建模型的通道數</translation>
    </message>
    <message>
        <source>layers of the built-in decoder</source>
        <translation>內建 decoder 的層數</translation>
    </message>
    <message>
        <source>random seed of a built-in model</source>
        <translation>內建模型的亂數種子</translation>
    </message>
    <message>
        <source>which program of an archive</source>
        <translation>封存檔中的哪一個程式</translation>
    </message>
    <message>
        <source>threads to compute with; 0: all</source>
        <translation>計算用的執行緒數；0 表示全部</translation>
    </message>
    <message>
        <source>a project to open instead of a model</source>
        <translation>要開啟的專案，代替模型</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>Exported</source>
        <translation>匯出</translation>
    </message>
    <message>
        <source>Annotated</source>
        <translation>標註</translation>
    </message>
    <message>
        <source>Prepared</source>
        <translation>準備</translation>
    </message>
    <message>
        <source>Calibrated</source>
        <translation>校準</translation>
    </message>
    <message>
        <source>Converted</source>
        <translation>轉換</translation>
    </message>
    <message>
        <source>float</source>
        <translation>浮點</translation>
    </message>
    <message>
        <source>float + observers</source>
        <translation>浮點＋觀察器</translation>
    </message>
    <message>
        <source>int8 edges thick</source>
        <translation>粗線為 int8</translation>
    </message>
    <message>
        <source>folded, transformed</source>
        <translation>已摺疊、已變換</translation>
    </message>
    <message>
        <source>op</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>exported</source>
        <translation>匯出</translation>
    </message>
    <message>
        <source>prepared</source>
        <translation>準備</translation>
    </message>
    <message>
        <source>converted</source>
        <translation>轉換</translation>
    </message>
    <message>
        <source>delta</source>
        <translation>增減</translation>
    </message>
    <message>
        <source>observer</source>
        <translation>觀察器</translation>
    </message>
    <message>
        <source>type</source>
        <translation>類型</translation>
    </message>
    <message>
        <source>from</source>
        <translation>來自</translation>
    </message>
    <message>
        <source>to</source>
        <translation>送往</translation>
    </message>
    <message>
        <source>qparams</source>
        <translation>量化參數</translation>
    </message>
    <message>
        <source>node</source>
        <translation>節點</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>輸入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>輸出</translation>
    </message>
    <message>
        <source>name</source>
        <translation>名稱</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>原因</translation>
    </message>
    <message>
        <source>root</source>
        <translation>根源</translation>
    </message>
    <message>
        <source>group</source>
        <translation>群組</translation>
    </message>
    <message>
        <source>points</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>severity</source>
        <translation>程度</translation>
    </message>
    <message>
        <source>place</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>message</source>
        <translation>訊息</translation>
    </message>
    <message>
        <source>code</source>
        <translation>代碼</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>分區</translation>
    </message>
    <message>
        <source>cosine</source>
        <translation>餘弦</translation>
    </message>
    <message>
        <source>max abs</source>
        <translation>最大絕對差</translation>
    </message>
    <message>
        <source>steps apart</source>
        <translation>相差階數</translation>
    </message>
    <message>
        <source>runs on</source>
        <translation>執行於</translation>
    </message>
    <message>
        <source>partition</source>
        <translation>分區</translation>
    </message>
    <message>
        <source>kernel</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>folding</source>
        <translation>摺疊</translation>
    </message>
    <message>
        <source>calibrating</source>
        <translation>校準</translation>
    </message>
    <message>
        <source>converting</source>
        <translation>轉換</translation>
    </message>
    <message>
        <source>XNNPACK dB</source>
        <translation>XNNPACK dB</translation>
    </message>
    <message>
        <source>kernels dB</source>
        <translation>核心誤差 dB</translation>
    </message>
    <message>
        <source>torchao root</source>
        <translation>torchao 根源</translation>
    </message>
    <message>
        <source>executorch root</source>
        <translation>executorch 根源</translation>
    </message>
    <message>
        <source>quantized</source>
        <translation>已量化</translation>
    </message>
    <message>
        <source>quantized: %1</source>
        <translation>已量化：%1</translation>
    </message>
    <message>
        <source>removed as dead code</source>
        <translation>視為無用程式碼而移除</translation>
    </message>
    <message>
        <source>float program</source>
        <translation>浮點程式</translation>
    </message>
    <message>
        <source>float program in %1</source>
        <translation>%1 浮點程式</translation>
    </message>
    <message>
        <source>float program with annotations (%1 nodes)</source>
        <translation>帶有標註的浮點程式（%1 個節點）</translation>
    </message>
    <message>
        <source>QAT program with fake quantization (%1 fake_quantize)</source>
        <translation>含偽量化的 QAT 程式（%1 個 fake_quantize）</translation>
    </message>
    <message>
        <source>converted program (%1, %2 q / %3 dq)</source>
        <translation>已轉換的程式（%1，%2 q / %3 dq）</translation>
    </message>
    <message>
        <source>run</source>
        <translation>執行</translation>
    </message>
    <message>
        <source>compared with</source>
        <translation>比較對象</translation>
    </message>
    <message>
        <source>SQNR dB</source>
        <translation>SQNR dB</translation>
    </message>
    <message>
        <source>worst batch dB</source>
        <translation>最差批次 dB</translation>
    </message>
    <message>
        <source>MSE</source>
        <translation>MSE</translation>
    </message>
    <message>
        <source>mean error</source>
        <translation>平均誤差</translation>
    </message>
    <message>
        <source>alone dB</source>
        <translation>單獨 dB</translation>
    </message>
    <message>
        <source>weights only dB</source>
        <translation>僅權重 dB</translation>
    </message>
    <message>
        <source>activations only dB</source>
        <translation>僅啟動值 dB</translation>
    </message>
    <message>
        <source>cumulative dB</source>
        <translation>累積 dB</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>Quantizations</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>value</source>
        <translation>值</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>種類</translation>
    </message>
    <message>
        <source>rounding MSE</source>
        <translation>捨入 MSE</translation>
    </message>
    <message>
        <source>clipping MSE</source>
        <translation>截斷 MSE</translation>
    </message>
    <message>
        <source>clipped %</source>
        <translation>截斷 %</translation>
    </message>
    <message>
        <source>RMS steps</source>
        <translation>均方根階數</translation>
    </message>
    <message>
        <source>codes used</source>
        <translation>使用碼數</translation>
    </message>
    <message>
        <source>codes</source>
        <translation>碼數</translation>
    </message>
    <message>
        <source>right</source>
        <translation>正確</translation>
    </message>
    <message>
        <source>samples</source>
        <translation>樣本數</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>正確率</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>正確率</translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation>95 % 區間</translation>
    </message>
    <message>
        <source>Differences of accuracy</source>
        <translation>正確率差異</translation>
    </message>
    <message>
        <source>same class</source>
        <translation>同類別</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>修正</translation>
    </message>
    <message>
        <source>broken</source>
        <translation>變錯</translation>
    </message>
    <message>
        <source>difference in points</source>
        <translation>差異（百分點）</translation>
    </message>
    <message>
        <source>McNemar p</source>
        <translation>McNemar p</translation>
    </message>
    <message>
        <source>Flipped samples</source>
        <translation>翻轉樣本</translation>
    </message>
    <message>
        <source>sample</source>
        <translation>樣本</translation>
    </message>
    <message>
        <source>label</source>
        <translation>標籤</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>模擬</translation>
    </message>
    <message>
        <source>XNNPACK</source>
        <translation>XNNPACK</translation>
    </message>
    <message>
        <source>Confusion: float</source>
        <translation>混淆矩陣：浮點</translation>
    </message>
    <message>
        <source>Confusion: simulated</source>
        <translation>混淆矩陣：模擬</translation>
    </message>
    <message>
        <source>Confusion: XNNPACK</source>
        <translation>混淆矩陣：XNNPACK</translation>
    </message>
    <message>
        <source>weights only</source>
        <translation>僅權重</translation>
    </message>
    <message>
        <source>activations only</source>
        <translation>僅啟動值</translation>
    </message>
    <message>
        <source>exact</source>
        <translation>完全相同</translation>
    </message>
    <message>
        <source>n/a</source>
        <translation>不適用</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>相等</translation>
    </message>
    <message>
        <source>max %1</source>
        <translation>最大 %1</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>activation</source>
        <translation>啟動值</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>非數字</translation>
    </message>
    <message>
        <source>infinite</source>
        <translation>無限大</translation>
    </message>
    <message>
        <source>minus infinite</source>
        <translation>負無限大</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>常數</translation>
    </message>
    <message>
        <source>absorbed by its neighbour</source>
        <translation>併入相鄰運算</translation>
    </message>
    <message>
        <source>comparing</source>
        <translation>比較中</translation>
    </message>
    <message>
        <source>comparing operators</source>
        <translation>比較各運算</translation>
    </message>
    <message>
        <source>alone</source>
        <translation>單獨</translation>
    </message>
    <message>
        <source>cumulative</source>
        <translation>累積</translation>
    </message>
    <message>
        <source>kernels</source>
        <translation>核心</translation>
    </message>
    <message>
        <source>against float</source>
        <translation>對浮點</translation>
    </message>
    <message>
        <source>XNNPACK int8</source>
        <translation>XNNPACK int8</translation>
    </message>
    <message>
        <source>XNNPACK float</source>
        <translation>XNNPACK 浮點</translation>
    </message>
    <message>
        <source>what</source>
        <translation>項目</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>差異</translation>
    </message>
    <message>
        <source>now</source>
        <translation>現在</translation>
    </message>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留的</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>annotation</source>
        <translation>標註</translation>
    </message>
    <message>
        <source>sharing</source>
        <translation>共用</translation>
    </message>
    <message>
        <source>q and dq</source>
        <translation>q 與 dq</translation>
    </message>
    <message>
        <source>shared with %1</source>
        <translation>與 %1 共用</translation>
    </message>
    <message>
        <source>shared with none</source>
        <translation>不與其他共用</translation>
    </message>
    <message>
        <source>derived from %1</source>
        <translation>由 %1 推得</translation>
    </message>
    <message>
        <source>operators quantized</source>
        <translation>已量化的運算</translation>
    </message>
    <message>
        <source>MACs quantized, %</source>
        <translation>已量化的 MAC，%</translation>
    </message>
    <message>
        <source>weight bytes quantized, %</source>
        <translation>已量化的權重位元組，%</translation>
    </message>
    <message>
        <source>observers</source>
        <translation>觀察器</translation>
    </message>
    <message>
        <source>quantize and dequantize nodes</source>
        <translation>量化與反量化節點</translation>
    </message>
    <message>
        <source>weights, bytes</source>
        <translation>權重，位元組</translation>
    </message>
    <message>
        <source>kernels that ran in int8</source>
        <translation>以 int8 執行的核心</translation>
    </message>
    <message>
        <source>SQNR of %1 simulated, dB</source>
        <translation>%1 模擬的 SQNR，dB</translation>
    </message>
    <message>
        <source>SQNR of %1 on XNNPACK, dB</source>
        <translation>%1 在 XNNPACK 的 SQNR，dB</translation>
    </message>
    <message>
        <source>cosine of %1 on XNNPACK</source>
        <translation>%1 在 XNNPACK 的餘弦</translation>
    </message>
    <message>
        <source>accuracy of the float model, %</source>
        <translation>浮點模型的正確率，%</translation>
    </message>
    <message>
        <source>accuracy simulated, %</source>
        <translation>模擬的正確率，%</translation>
    </message>
    <message>
        <source>accuracy on XNNPACK, %</source>
        <translation>XNNPACK 的正確率，%</translation>
    </message>
    <message>
        <source>XNNPACK agrees with float, %</source>
        <translation>XNNPACK 與浮點一致，%</translation>
    </message>
    <message>
        <source>samples in the same class under both</source>
        <translation>兩者分入同一類的樣本</translation>
    </message>
    <message>
        <source>chance of such a difference (McNemar)</source>
        <translation>出現此差異的機率（McNemar）</translation>
    </message>
    <message>
        <source>time in float, ms</source>
        <translation>浮點時間，ms</translation>
    </message>
    <message>
        <source>time in int8, ms</source>
        <translation>int8 時間，ms</translation>
    </message>
    <message>
        <source>95 % interval of it, ms</source>
        <translation>其 95 % 區間，ms</translation>
    </message>
    <message>
        <source>timing</source>
        <translation>計時</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>運算數</translation>
    </message>
    <message>
        <source>in int8</source>
        <translation>int8</translation>
    </message>
    <message>
        <source>conversions</source>
        <translation>轉換</translation>
    </message>
    <message>
        <source>transposes</source>
        <translation>轉置</translation>
    </message>
    <message>
        <source>microseconds</source>
        <translation>微秒</translation>
    </message>
    <message>
        <source>kernels of our own</source>
        <translation>自有核心</translation>
    </message>
    <message>
        <source>min-max</source>
        <translation>最小值–最大值</translation>
    </message>
    <message>
        <source>percentile 99.9</source>
        <translation>百分位 99.9</translation>
    </message>
    <message>
        <source>percentile 99.99</source>
        <translation>百分位 99.99</translation>
    </message>
    <message>
        <source>least squared error</source>
        <translation>最小平方誤差</translation>
    </message>
    <message>
        <source>least KL divergence</source>
        <translation>最小 KL 散度</translation>
    </message>
    <message>
        <source>sensitivity</source>
        <translation>敏感度</translation>
    </message>
    <message>
        <source>mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>bookmark</source>
        <translation>書籤</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>是</translation>
    </message>
    <message>
        <source>note</source>
        <translation>備註</translation>
    </message>
    <message>
        <source>diagnosis</source>
        <translation>診斷</translation>
    </message>
    <message>
        <source>evidence</source>
        <translation>證據</translation>
    </message>
    <message>
        <source>mended by</source>
        <translation>改善方式</translation>
    </message>
    <message>
        <source>outlier channel</source>
        <translation>離群通道</translation>
    </message>
    <message>
        <source>quantized before a clamp</source>
        <translation>在截斷之前量化</translation>
    </message>
    <message>
        <source>one-sided values</source>
        <translation>單側的值</translation>
    </message>
    <message>
        <source>quantize the weights per channel</source>
        <translation>權重改為逐通道量化</translation>
    </message>
    <message>
        <source>quantize behind the clamp only</source>
        <translation>只在截斷之後量化</translation>
    </message>
    <message>
        <source>affine instead of symmetric</source>
        <translation>改用仿射而非對稱</translation>
    </message>
    <message>
        <source>largest weight of one channel against that of most: %1</source>
        <translation>一個通道的最大權重與多數通道相比：%1</translation>
    </message>
    <message>
        <source>range before the clamp and behind it: %1</source>
        <translation>截斷前與截斷後的範圍：%1</translation>
    </message>
    <message>
        <source>smallest and largest value on a symmetric grid: %1</source>
        <translation>對稱格點上的最小值與最大值：%1</translation>
    </message>
    <message>
        <source>unbalanced inputs</source>
        <translation>不平衡的輸入</translation>
    </message>
    <message>
        <source>too few batches</source>
        <translation>批次太少</translation>
    </message>
    <message>
        <source>shifted mean</source>
        <translation>平均值偏移</translation>
    </message>
    <message>
        <source>dead channels</source>
        <translation>失效通道</translation>
    </message>
    <message>
        <source>unlike input values</source>
        <translation>輸入值不符</translation>
    </message>
    <message>
        <source>leave the operator float; its inputs get ranges of their own</source>
        <translation>運算保持浮點；其輸入各有自己的範圍</translation>
    </message>
    <message>
        <source>leave the operator float</source>
        <translation>運算保持浮點</translation>
    </message>
    <message>
        <source>calibrate with twice as many batches</source>
        <translation>以兩倍的批次校準</translation>
    </message>
    <message>
        <source>no recipe can: the data have no more batches; give more data</source>
        <translation>配方無法改善：資料沒有更多批次，請提供更多資料</translation>
    </message>
    <message>
        <source>no recipe can: they can be pruned from the model, unless the data show too little</source>
        <translation>配方無法改善：可從模型中剪除這些通道，除非資料呈現得太少</translation>
    </message>
    <message>
        <source>calibrate with the mean and std that go with the data</source>
        <translation>以適合資料的平均值與標準差校準</translation>
    </message>
    <message>
        <source>no recipe can: give data that are prepared as the model expects them</source>
        <translation>配方無法改善：請提供依模型所需方式處理過的資料</translation>
    </message>
    <message>
        <source>codes that each of the inputs uses: %1</source>
        <translation>各輸入所用的碼數：%1</translation>
    </message>
    <message>
        <source>channels whose weights are all zero: %1</source>
        <translation>權重全為零的通道：%1</translation>
    </message>
    <message>
        <source>channels that were the same all through the data: %1</source>
        <translation>在所有資料中都不變的通道：%1</translation>
    </message>
    <message>
        <source>mean error of a channel against its standard deviation: %1</source>
        <translation>某通道的平均誤差與其標準差：%1</translation>
    </message>
    <message>
        <source>range after half of the batches and after all: %1</source>
        <translation>一半批次之後與全部之後的範圍：%1</translation>
    </message>
    <message>
        <source>values in calibration and in the example inputs: %1</source>
        <translation>校準資料與範例輸入的值：%1</translation>
    </message>
    <message>
        <source>standard deviations from the mean that the first batch norm kept: %1</source>
        <translation>與第一個批次正規化所存平均值相差的標準差數：%1</translation>
    </message>
    <message>
        <source>give data prepared as in training: mean and std of the data&apos;s format</source>
        <translation>請提供與訓練時處理方式相同的資料：資料格式的平均值與標準差</translation>
    </message>
    <message>
        <source>values in calibration and in the data it is judged on: %1</source>
        <translation>校準資料與評估資料的值：%1</translation>
    </message>
    <message>
        <source>batches</source>
        <translation>批次</translation>
    </message>
    <message>
        <source>scales moved</source>
        <translation>已變動的縮放</translation>
    </message>
    <message>
        <source>observing</source>
        <translation>觀測中</translation>
    </message>
    <message>
        <source>judging</source>
        <translation>評估中</translation>
    </message>
    <message>
        <source>time</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>event</source>
        <translation>事件</translation>
    </message>
    <message>
        <source>took ms</source>
        <translation>耗時（毫秒）</translation>
    </message>
    <message>
        <source>warning</source>
        <translation>警告</translation>
    </message>
    <message>
        <source>error</source>
        <translation>錯誤</translation>
    </message>
    <message>
        <source>call</source>
        <translation>呼叫</translation>
    </message>
    <message>
        <source>annotation</source>
        <translation>標註</translation>
    </message>
    <message>
        <source>values</source>
        <translation>數值</translation>
    </message>
    <message>
        <source>histogram</source>
        <translation>直方圖</translation>
    </message>
    <message>
        <source>channels</source>
        <translation>通道</translation>
    </message>
    <message>
        <source>across stages</source>
        <translation>各階段</translation>
    </message>
    <message>
        <source>users</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>metadata</source>
        <translation>中繼資料</translation>
    </message>
</context>
<context>
    <name>FileHelp</name>
    <message>
        <source>%1 is a folder.</source>
        <translation>%1 是資料夾。</translation>
    </message>
    <message>
        <source>%1 is not an exported program.</source>
        <translation>%1 不是匯出的程式。</translation>
    </message>
    <message>
        <source>%1 is an ONNX model.</source>
        <translation>%1 是 ONNX 模型。</translation>
    </message>
    <message>
        <source>%1 is a TensorFlow Lite model.</source>
        <translation>%1 是 TensorFlow Lite 模型。</translation>
    </message>
    <message>
        <source>%1 is an ExecuTorch program: it is already lowered.</source>
        <translation>%1 是 ExecuTorch 程式：已經過降階。</translation>
    </message>
    <message>
        <source>%1 holds weights only, no graph.</source>
        <translation>%1 只有權重，沒有計算圖。</translation>
    </message>
    <message>
        <source>%1 is Python source.</source>
        <translation>%1 是 Python 原始碼。</translation>
    </message>
    <message>
        <source>%1 is a checkpoint of torch.save or a TorchScript file.</source>
        <translation>%1 是 torch.save 的檢查點或 TorchScript 檔案。</translation>
    </message>
</context>
<context>
    <name>Gallery</name>
    <message>
        <source>Two convolutions and a shortcut</source>
        <translation>兩層卷積與一條捷徑</translation>
    </message>
    <message>
        <source>One observer at x serves conv2d and add.</source>
        <translation>x 的一個觀察器同時供 conv2d 與 add 使用。</translation>
    </message>
    <message>
        <source>Two branches, cat, max pool</source>
        <translation>兩條分支、cat、最大池化</translation>
    </message>
    <message>
        <source>Why do cat and max_pool2d stay in float?</source>
        <translation>為什麼 cat 與 max_pool2d 仍是浮點？</translation>
    </message>
    <message>
        <source>The first layers of an image network</source>
        <translation>影像網路的前幾層</translation>
    </message>
    <message>
        <source>Convolution and batch norm become one.</source>
        <translation>卷積與批次正規化合而為一。</translation>
    </message>
    <message>
        <source>A trained classifier of clothes, 28×28</source>
        <translation>訓練好的服飾分類器，28×28</translation>
    </message>
    <message>
        <source>Real weights, calibrated on real images.</source>
        <translation>真實的權重，以真實影像校準。</translation>
    </message>
    <message>
        <source>A small language-model decoder</source>
        <translation>小型語言模型解碼器</translation>
    </message>
    <message>
        <source>Attention: which matrices become int8?</source>
        <translation>注意力機制：哪些矩陣會變成 int8？</translation>
    </message>
    <message>
        <source>MobileNetV2 for images of 224×224</source>
        <translation>MobileNetV2，輸入 224×224 影像</translation>
    </message>
    <message>
        <source>Inverted residuals: which sums share an observer?</source>
        <translation>反向殘差：哪些加法共用同一個觀察器？</translation>
    </message>
    <message>
        <source>ResNet-18 for images of 224×224</source>
        <translation>ResNet-18，輸入 224×224 影像</translation>
    </message>
    <message>
        <source>Where do in-place additions put their observers?</source>
        <translation>就地加法的觀察器放在哪裡？</translation>
    </message>
    <message>
        <source>ResNet-50 for images of 224×224</source>
        <translation>ResNet-50，輸入 224×224 影像</translation>
    </message>
    <message>
        <source>Bottlenecks: 25 million weights at a quarter of the size.</source>
        <translation>瓶頸區塊：2500 萬個權重，大小只剩四分之一。</translation>
    </message>
    <message>
        <source>SqueezeNet 1.1 for images of 224×224</source>
        <translation>SqueezeNet 1.1，輸入 224×224 影像</translation>
    </message>
    <message>
        <source>Fire modules: two branches meet in a cat.</source>
        <translation>Fire 模組：兩個分支在 cat 會合。</translation>
    </message>
    <message>
        <source>DS-CNN, keywords on microcontrollers</source>
        <translation>DS-CNN，微控制器上的關鍵詞</translation>
    </message>
    <message>
        <source>Depthwise: a scale per channel, or one for all?</source>
        <translation>深度卷積的權重：逐通道縮放，還是共用一個？</translation>
    </message>
    <message>
        <source>A transformer encoder of four layers</source>
        <translation>四層的 Transformer 編碼器</translation>
    </message>
    <message>
        <source>Linears in int8, and softmax between them in float.</source>
        <translation>線性層為 int8，其間的 softmax 為浮點。</translation>
    </message>
</context>
<context>
    <name>GraphItem</name>
    <message>
        <source>collapsed module</source>
        <translation>收合的模組</translation>
    </message>
    <message>
        <source>op</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>input</source>
        <translation>輸入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>輸出</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>observer</source>
        <translation>觀察器</translation>
    </message>
    <message>
        <source>quantize</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>dequantize</source>
        <translation>反量化</translation>
    </message>
    <message>
        <source>removed node</source>
        <translation>已移除的節點</translation>
    </message>
    <message>
        <source>hidden neighbour</source>
        <translation>隱藏的鄰居</translation>
    </message>
    <message>
        <source>not quantized</source>
        <translation>未量化</translation>
    </message>
    <message>
        <source>%1 in, %2 out</source>
        <translation>%1 進 %2 出</translation>
    </message>
</context>
<context>
    <name>Marking</name>
    <message>
        <source>Bookmark %1</source>
        <translation>為 %1 加上書籤</translation>
    </message>
    <message>
        <source>No bookmark on %1</source>
        <translation>移除 %1 的書籤</translation>
    </message>
</context>
<context>
    <name>Menu</name>
    <message>
        <source>Mod&amp;ules</source>
        <translation>模組(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Expand the module</source>
        <translation>展開模組(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Collapse the module</source>
        <translation>收合模組(&amp;C)</translation>
    </message>
    <message>
        <source>Expand &amp;all modules</source>
        <translation>展開所有模組(&amp;A)</translation>
    </message>
    <message>
        <source>Collapse the &amp;outermost modules</source>
        <translation>收合最外層的模組(&amp;O)</translation>
    </message>
    <message>
        <source>Modules a&amp;like as one box</source>
        <translation>相同的模組合為一個方塊(&amp;L)</translation>
    </message>
    <message>
        <source>Over&amp;view in the corner</source>
        <translation>角落的總覽圖(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>檔案(&amp;F)</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>開啟(&amp;O)…</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>最近開啟(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Built-in models</source>
        <translation>內建模型(&amp;B)</translation>
    </message>
    <message>
        <source>&amp;Export figure…</source>
        <translation>匯出圖形(&amp;E)…</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>關閉(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>結束(&amp;Q)</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>編輯(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>復原(&amp;U)</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>重做(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;Find…</source>
        <translation>尋找(&amp;F)…</translation>
    </message>
    <message>
        <source>Select &amp;nothing</source>
        <translation>取消選取(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>執行(&amp;R)</translation>
    </message>
    <message>
        <source>&amp;All stages</source>
        <translation>所有階段(&amp;A)</translation>
    </message>
    <message>
        <source>&amp;Next stage</source>
        <translation>下一階段(&amp;N)</translation>
    </message>
    <message>
        <source>&amp;Hide results</source>
        <translation>隱藏結果(&amp;H)</translation>
    </message>
    <message>
        <source>Co&amp;mpare</source>
        <translation>比較(&amp;M)</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>取消(&amp;C)</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>檢視(&amp;V)</translation>
    </message>
    <message>
        <source>&amp;Fit</source>
        <translation>顯示全部(&amp;F)</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>放大(&amp;I)</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>縮小(&amp;O)</translation>
    </message>
    <message>
        <source>F&amp;ocus on the selection</source>
        <translation>以選取為焦點(&amp;O)</translation>
    </message>
    <message>
        <source>&amp;Path between two selected nodes</source>
        <translation>兩個所選節點之間的路徑(&amp;P)</translation>
    </message>
    <message>
        <source>Show the &amp;whole graph</source>
        <translation>顯示整張圖(&amp;W)</translation>
    </message>
    <message>
        <source>&amp;More hops</source>
        <translation>增加步數(&amp;M)</translation>
    </message>
    <message>
        <source>F&amp;ewer hops</source>
        <translation>減少步數(&amp;E)</translation>
    </message>
    <message>
        <source>&amp;Back</source>
        <translation>返回(&amp;B)</translation>
    </message>
    <message>
        <source>For&amp;ward</source>
        <translation>前進(&amp;W)</translation>
    </message>
    <message>
        <source>Show or hide the mo&amp;dules</source>
        <translation>顯示或隱藏模組(&amp;D)</translation>
    </message>
    <message>
        <source>Show or hide the &amp;tables</source>
        <translation>顯示或隱藏表格(&amp;T)</translation>
    </message>
    <message>
        <source>Show or hide the in&amp;spector</source>
        <translation>顯示或隱藏檢視面板(&amp;S)</translation>
    </message>
    <message>
        <source>Panes side by side or stac&amp;ked</source>
        <translation>窗格並排或上下排列(&amp;K)</translation>
    </message>
    <message>
        <source>Restore the default la&amp;yout</source>
        <translation>恢復預設版面(&amp;Y)</translation>
    </message>
    <message>
        <source>F&amp;ull screen</source>
        <translation>全螢幕(&amp;U)</translation>
    </message>
    <message>
        <source>T&amp;heme</source>
        <translation>佈景主題(&amp;H)</translation>
    </message>
    <message>
        <source>As the system</source>
        <translation>依系統設定</translation>
    </message>
    <message>
        <source>Light theme</source>
        <translation>淺色佈景</translation>
    </message>
    <message>
        <source>Dark theme</source>
        <translation>深色佈景</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>語言(&amp;L)</translation>
    </message>
    <message>
        <source>Lar&amp;ge type</source>
        <translation>大字體(&amp;G)</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>說明(&amp;H)</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>按鍵(&amp;K)</translation>
    </message>
    <message>
        <source>&amp;About</source>
        <translation>關於(&amp;A)</translation>
    </message>
    <message>
        <source>Compare on other &amp;data…</source>
        <translation>用其他資料比較(&amp;D)…</translation>
    </message>
    <message>
        <source>O&amp;verlay</source>
        <translation>疊圖(&amp;V)</translation>
    </message>
    <message>
        <source>No overlay</source>
        <translation>無疊圖</translation>
    </message>
    <message>
        <source>Overlay: error</source>
        <translation>疊圖：誤差</translation>
    </message>
    <message>
        <source>Overlay: engine</source>
        <translation>疊圖：引擎</translation>
    </message>
    <message>
        <source>Overlay: weight bytes</source>
        <translation>疊圖：權重位元組</translation>
    </message>
    <message>
        <source>Overlay: time</source>
        <translation>疊加：時間</translation>
    </message>
    <message>
        <source>&amp;Ranges of all activations</source>
        <translation>所有活化值的範圍(&amp;R)</translation>
    </message>
    <message>
        <source>Ranges: min-max</source>
        <translation>範圍：最小值–最大值</translation>
    </message>
    <message>
        <source>Ranges: percentile 99.9</source>
        <translation>範圍：百分位 99.9</translation>
    </message>
    <message>
        <source>Ranges: percentile 99.99</source>
        <translation>範圍：百分位 99.99</translation>
    </message>
    <message>
        <source>Ranges: least squared error</source>
        <translation>範圍：最小平方誤差</translation>
    </message>
    <message>
        <source>Ranges: least KL divergence</source>
        <translation>範圍：最小 KL 散度</translation>
    </message>
    <message>
        <source>&amp;Sensitivity</source>
        <translation>敏感度(&amp;S)</translation>
    </message>
    <message>
        <source>R&amp;ules of the recipe…</source>
        <translation>配方的規則(&amp;U)…</translation>
    </message>
    <message>
        <source>&amp;Save project</source>
        <translation>儲存專案(&amp;S)</translation>
    </message>
    <message>
        <source>Save project &amp;as…</source>
        <translation>另存專案(&amp;A)…</translation>
    </message>
    <message>
        <source>Save &amp;converted model…</source>
        <translation>儲存轉換後的模型(&amp;C)…</translation>
    </message>
    <message>
        <source>Save annotated &amp;float model…</source>
        <translation>儲存附標註的浮點模型(&amp;F)…</translation>
    </message>
    <message>
        <source>&amp;Bookmark on or off</source>
        <translation>加上或移除書籤(&amp;B)</translation>
    </message>
    <message>
        <source>Tell when a long job ends</source>
        <translation>長時間工作結束時通知</translation>
    </message>
    <message>
        <source>&amp;What is this?</source>
        <translation>這是什麼(&amp;W)？</translation>
    </message>
</context>
<context>
    <name>NodeFacts</name>
    <message>
        <source>inserted</source>
        <translation>插入</translation>
    </message>
    <message>
        <source>fused into</source>
        <translation>融合到</translation>
    </message>
    <message>
        <source>decomposed</source>
        <translation>分解</translation>
    </message>
    <message>
        <source>folded</source>
        <translation>摺疊</translation>
    </message>
    <message>
        <source>copy</source>
        <translation>複本</translation>
    </message>
    <message>
        <source> by %1</source>
        <translation>（%1）</translation>
    </message>
    <message>
        <source>removed by %1</source>
        <translation>由 %1 移除</translation>
    </message>
    <message>
        <source>made by</source>
        <translation>產生者</translation>
    </message>
    <message>
        <source>absent (rules that look for a module need it)</source>
        <translation>缺少（依模組比對的規則需要它）</translation>
    </message>
</context>
<context>
    <name>Reason</name>
    <message>
        <source>the %1 quantizer has no rule for %2</source>
        <translation>%1 量化器沒有 %2 的規則</translation>
    </message>
    <message>
        <source>relu_ is annotated only behind a convolution, linear, add or mul; in place it does not share its input&apos;s observer</source>
        <translation>relu_ 只有接在卷積、linear、add 或 mul 之後才會標註；就地運算時不共用輸入的觀察器</translation>
    </message>
    <message>
        <source>with a dynamic configuration only these rules run: %1</source>
        <translation>動態設定下只執行這些規則：%1</translation>
    </message>
    <message>
        <source>the quantizer looks for torch.cat in source_fn_stack, which this program does not carry</source>
        <translation>量化器在 source_fn_stack 中尋找 torch.cat，而這個程式沒有這項資訊</translation>
    </message>
    <message>
        <source>the quantizer looks for torch.cat in source_fn_stack, where this node has %1</source>
        <translation>量化器在 source_fn_stack 中尋找 torch.cat，而這個節點記的是 %1</translation>
    </message>
    <message>
        <source>%1 has more users than %2, so the two are not fused</source>
        <translation>除了 %2 還有其他節點使用 %1，因此兩者不融合</translation>
    </message>
    <message>
        <source>a convolution whose padding is given as text is annotated only together with a relu that is its only user</source>
        <translation>以文字指定 padding 的卷積，只有與唯一使用它的 relu 一起才會標註</translation>
    </message>
    <message>
        <source>a %1 is annotated only together with a relu that is its only user</source>
        <translation>%1 只有與唯一使用它的 relu 一起才會標註</translation>
    </message>
    <message>
        <source>a transposed convolution is annotated only together with a relu that is its only user</source>
        <translation>轉置卷積只有與唯一使用它的 relu 一起才會標註</translation>
    </message>
    <message>
        <source>a transposed convolution with %1 groups is left out</source>
        <translation>%1 組的轉置卷積不予標註</translation>
    </message>
    <message>
        <source>its only user is %1: it is left to a rule for both, and there is none for dynamic configurations</source>
        <translation>只有 %1 使用它：留給兩者合一的規則處理，但動態設定沒有這種規則</translation>
    </message>
    <message>
        <source>its only user is %1: it is left to rule %2</source>
        <translation>只有 %1 使用它：留給規則 %2 處理</translation>
    </message>
    <message>
        <source>its only user is %1, so it is left to rule %2, which leaves it out, too: %3</source>
        <translation>只有 %1 使用它，因此留給規則 %2 處理，而該規則也不標註：%3</translation>
    </message>
    <message>
        <source>with a dynamic configuration only two-dimensional convolutions are taken</source>
        <translation>動態設定下只標註二維卷積</translation>
    </message>
    <message>
        <source>with a dynamic configuration a convolution that reads one channel per group (depthwise) is left out</source>
        <translation>動態設定下，每組只讀一個通道的卷積（逐通道卷積）不予標註</translation>
    </message>
    <message>
        <source>its module is called more than once: only the first call, %1, is annotated by the rule</source>
        <translation>它的模組被呼叫不只一次：規則只標註第一次呼叫 %1</translation>
    </message>
    <message>
        <source>another node of the same torch.cat call is annotated instead</source>
        <translation>標註的是同一個 torch.cat 呼叫的另一個節點</translation>
    </message>
    <message>
        <source>inside a GRU: only its inputs and results are annotated</source>
        <translation>位於 GRU 內部：只標註其輸入與結果</translation>
    </message>
    <message>
        <source>follows %1, which has no annotation because %2</source>
        <translation>接在 %1 之後，而 %1 沒有標註，因為%2</translation>
    </message>
    <message>
        <source>follows %1, which has no annotation: the chain starts at %2</source>
        <translation>接在 %1 之後，而 %1 沒有標註：這一串從 %2 開始</translation>
    </message>
    <message>
        <source>follows the graph input %1: it shares its producer&apos;s observer, and inputs have none of their own</source>
        <translation>接在圖的輸入 %1 之後：它共用來源的觀察器，而輸入沒有自己的觀察器</translation>
    </message>
    <message>
        <source>follows the constant %1: it shares its producer&apos;s observer, and constants have none of their own</source>
        <translation>接在常數 %1 之後：它共用來源的觀察器，而常數沒有自己的觀察器</translation>
    </message>
    <message>
        <source>follows %1, whose output is not annotated</source>
        <translation>接在 %1 之後，而 %1 的輸出沒有標註</translation>
    </message>
    <message>
        <source>its first argument is not a node</source>
        <translation>它的第一個引數不是節點</translation>
    </message>
    <message>
        <source>%1 is already taken by rule %2</source>
        <translation>%1 已由規則 %2 標註</translation>
    </message>
    <message>
        <source>its weight %1 is already taken by rule %2: a weight that two convolutions read is taken only once</source>
        <translation>它的權重 %1 已由規則 %2 標註：兩個卷積共讀的權重只標註一次</translation>
    </message>
    <message>
        <source>is part of what rule %1 annotated, without a spec of its own</source>
        <translation>屬於規則 %1 所標註的部分，沒有自己的規格</translation>
    </message>
    <message>
        <source>its input %1 is a constant with an absolute value above 3.4028235e15</source>
        <translation>它的輸入 %1 是絕對值超過 3.4028235e15 的常數</translation>
    </message>
    <message>
        <source>its input %1 is not a tensor</source>
        <translation>它的輸入 %1 不是張量</translation>
    </message>
    <message>
        <source>its input %1 is %2, not float32</source>
        <translation>它的輸入 %1 是 %2，不是 float32</translation>
    </message>
    <message>
        <source>an edit took its annotation away</source>
        <translation>它的標註已被編輯移除</translation>
    </message>
    <message>
        <source>%1 of the recipe leaves it out</source>
        <translation>配方的 %1 將它排除</translation>
    </message>
    <message>
        <source>%1 is in &apos;%2&apos;, which has a setting of its own: no other configuration reaches it</source>
        <translation>%1 位於「%2」，後者有自己的設定：其他設定都不適用</translation>
    </message>
    <message>
        <source>%1 is outside module &apos;%2&apos;, and no other configuration reaches it</source>
        <translation>%1 不在模組「%2」之內，也沒有其他設定適用</translation>
    </message>
    <message>
        <source>%1 is outside modules of type &apos;%2&apos;, and no other configuration reaches it</source>
        <translation>%1 不在類型為「%2」的模組之內，也沒有其他設定適用</translation>
    </message>
    <message>
        <source>the setting for module &apos;%2&apos; does not reach %1: parameters belong to no module, and this rule wants its weight reached, too</source>
        <translation>模組「%2」的設定不適用於 %1：參數不屬於任何模組，而這條規則要求權重也適用</translation>
    </message>
    <message>
        <source>the setting for modules of type &apos;%2&apos; does not reach %1: parameters belong to no module, and this rule wants its weight reached, too</source>
        <translation>類型為「%2」的模組設定不適用於 %1：參數不屬於任何模組，而這條規則要求權重也適用</translation>
    </message>
    <message>
        <source>no configuration reaches it: there is no global one, and none for %1</source>
        <translation>沒有適用的設定：沒有全域設定，也沒有 %1 的設定</translation>
    </message>
    <message>
        <source>stands in a sub-graph of %1 (%2), which prepare does not go into</source>
        <translation>位於 %1（%2）的子圖中，prepare 不會進入該子圖</translation>
    </message>
    <message>
        <source>no quantizer is chosen</source>
        <translation>沒有選擇量化器</translation>
    </message>
    <message>
        <source>the quantizer has no global configuration and no other one</source>
        <translation>量化器沒有全域設定，也沒有其他設定</translation>
    </message>
</context>
<context>
    <name>Rule</name>
    <message>
        <source>output</source>
        <translation>輸出</translation>
    </message>
    <message>
        <source>%1 · scale of %2</source>
        <translation>%1 · %2 的縮放</translation>
    </message>
    <message>
        <source>first input</source>
        <translation>第一個輸入</translation>
    </message>
    <message>
        <source>second input</source>
        <translation>第二個輸入</translation>
    </message>
    <message>
        <source>third input</source>
        <translation>第三個輸入</translation>
    </message>
    <message>
        <source>input %1</source>
        <translation>第 %1 個輸入</translation>
    </message>
    <message>
        <source>every %1</source>
        <translation>每個 %1</translation>
    </message>
    <message>
        <source>first of %1</source>
        <translation>第一個 %1</translation>
    </message>
    <message>
        <source>last of %1</source>
        <translation>最後一個 %1</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>運算</translation>
    </message>
    <message>
        <source> named %1</source>
        <translation>，名稱 %1</translation>
    </message>
    <message>
        <source> in %1</source>
        <translation>，在 %1 中</translation>
    </message>
    <message>
        <source> that gives %1</source>
        <translation>，產生 %1</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>保持原樣</translation>
    </message>
    <message>
        <source>shares with the %1</source>
        <translation>與%1共用</translation>
    </message>
    <message>
        <source>not quantized</source>
        <translation>不量化</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>輸入</translation>
    </message>
    <message>
        <source>other inputs</source>
        <translation>其他輸入</translation>
    </message>
    <message>
        <source>No dynamic quantization</source>
        <translation>無動態量化</translation>
    </message>
    <message>
        <source>Symmetric: zero point 0</source>
        <translation>對稱：零點為 0</translation>
    </message>
    <message>
        <source>One scale per tensor</source>
        <translation>每個張量一個縮放</translation>
    </message>
    <message>
        <source>Cat and pools: inputs and output alike</source>
        <translation>串接與池化：輸入與輸出相同</translation>
    </message>
    <message>
        <source>Additions: inputs and output alike</source>
        <translation>加法：輸入與輸出相同</translation>
    </message>
    <message>
        <source>Bias in int32: input scale × weight scale</source>
        <translation>偏差為 int32：輸入縮放 × 權重縮放</translation>
    </message>
    <message>
        <source>Scales are powers of two</source>
        <translation>縮放為 2 的次方</translation>
    </message>
    <message>
        <source>Integers throughout</source>
        <translation>全程整數</translation>
    </message>
    <message>
        <source>Symmetric int8, no zero points</source>
        <translation>對稱 int8，無零點</translation>
    </message>
    <message>
        <source>One scale per tensor, no rescaling</source>
        <translation>每個張量一個縮放，不重新縮放</translation>
    </message>
    <message>
        <source>Rescaling by shifts</source>
        <translation>以位移重新縮放</translation>
    </message>
</context>
<context>
    <name>Spec</name>
    <message>
        <source>affine</source>
        <translation>仿射</translation>
    </message>
    <message>
        <source>symmetric</source>
        <translation>對稱</translation>
    </message>
    <message>
        <source>per channel, axis %1</source>
        <translation>逐通道，軸 %1</translation>
    </message>
    <message>
        <source>per channel</source>
        <translation>逐通道</translation>
    </message>
    <message>
        <source>dynamic</source>
        <translation>動態</translation>
    </message>
    <message>
        <source>fixed %1, %2</source>
        <translation>固定 %1、%2</translation>
    </message>
    <message>
        <source>shares with %1</source>
        <translation>與 %1 共用</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>由 %1 推得</translation>
    </message>
    <message>
        <source>none (float32)</source>
        <translation>無（float32）</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::AccuracyPage</name>
    <message>
        <source>points</source>
        <translation>百分點</translation>
    </message>
    <message>
        <source>McNemar p</source>
        <translation>McNemar p</translation>
    </message>
    <message>
        <source>%1 samples are right now that were wrong, %2 are wrong that were right</source>
        <translation>%1 個樣本由錯變對，%2 個由對變錯</translation>
    </message>
    <message>
        <source>95 % interval of the difference: %1 to %2 points</source>
        <translation>差異的 95 % 區間：%1 到 %2 個百分點</translation>
    </message>
    <message>
        <source>McNemar&apos;s exact test: how likely a difference of this size is if neither run is better</source>
        <translation>McNemar 精確檢定：若兩次執行一樣好，出現這麼大差異的機率</translation>
    </message>
    <message>
        <source>Confusion matrix: labels down, predictions across</source>
        <translation>混淆矩陣：直向為標籤，橫向為預測</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>No sample flipped</source>
        <translation>沒有樣本翻轉</translation>
    </message>
    <message numerus="yes">
        <source>%n samples flipped</source>
        <translation>
            <numerusform>%n 個樣本翻轉</numerusform>
        </translation>
    </message>
    <message>
        <source>Accuracy, with 95 % interval</source>
        <translation>正確率與 95 % 區間</translation>
    </message>
    <message>
        <source>Label ↓, taken for →</source>
        <translation>標籤 ↓，判為 →</translation>
    </message>
    <message>
        <source>Flipped samples</source>
        <translation>翻轉的樣本</translation>
    </message>
    <message>
        <source>Run whose confusion matrix is shown</source>
        <translation>顯示哪一次執行的混淆矩陣</translation>
    </message>
    <message>
        <source>agree</source>
        <translation>一致</translation>
    </message>
    <message>
        <source>samples that both put into the same class, right or wrong</source>
        <translation>兩者判為同一類別的樣本，不論對錯</translation>
    </message>
    <message>
        <source>%1 – %2</source>
        <translation>%1 − %2</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::AnnotationForm</name>
    <message>
        <source>Keep in float</source>
        <translation>保持浮點</translation>
    </message>
    <message>
        <source>Sets all inputs and the output to none</source>
        <translation>將所有輸入與輸出設為「無」</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>還原</translation>
    </message>
    <message>
        <source>Back to what the quantizer said</source>
        <translation>回到量化器原本的設定</translation>
    </message>
    <message>
        <source>output</source>
        <translation>輸出</translation>
    </message>
    <message>
        <source>Quantization of %1</source>
        <translation>%1 的量化方式</translation>
    </message>
    <message>
        <source>none (float32)</source>
        <translation>無（float32）</translation>
    </message>
    <message>
        <source>quantizer: %1</source>
        <translation>量化器：%1</translation>
    </message>
    <message>
        <source>int8 · observe</source>
        <translation>int8 · 觀察</translation>
    </message>
    <message>
        <source>same observer as %1</source>
        <translation>與 %1 共用觀察器</translation>
    </message>
    <message>
        <source>Reset %1</source>
        <translation>還原 %1</translation>
    </message>
    <message>
        <source>Set %1 to none</source>
        <translation>將 %1 設為無</translation>
    </message>
    <message>
        <source>Observe %1</source>
        <translation>觀察 %1</translation>
    </message>
    <message>
        <source>Keep %1 in float</source>
        <translation>讓 %1 保持浮點</translation>
    </message>
    <message>
        <source>other…</source>
        <translation>其他…</translation>
    </message>
    <message>
        <source>%1 does not annotate it either.</source>
        <translation>%1 也沒有標註它。</translation>
    </message>
    <message>
        <source>Annotate %1 as %2</source>
        <translation>依 %2 標註 %1</translation>
    </message>
    <message>
        <source>Annotate %1</source>
        <translation>標註 %1</translation>
    </message>
    <message>
        <source>As %1</source>
        <translation>依 %1</translation>
    </message>
    <message>
        <source>Takes the annotation that the other quantizer makes here</source>
        <translation>採用另一個量化器在此處的標註</translation>
    </message>
    <message>
        <source>Make a rule</source>
        <translation>成為規則</translation>
    </message>
    <message>
        <source>Instead of these edits a rule for all operators of this kind</source>
        <translation>以適用於所有同類運算的規則取代這些編輯</translation>
    </message>
    <message>
        <source>These edits name points of other operators; a rule cannot.</source>
        <translation>這些編輯指到其他運算的位置，規則無法如此。</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Autosave</name>
    <message>
        <source>%1: cannot be written</source>
        <translation>%1：無法寫入</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Breadcrumb</name>
    <message>
        <source>The panes show this graph</source>
        <translation>各窗格正顯示此圖</translation>
    </message>
    <message>
        <source>Back to %1</source>
        <translation>回到 %1</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::CommandPalette</name>
    <message>
        <source>Find node, op, table or command</source>
        <translation>尋找節點、運算、表格或指令</translation>
    </message>
    <message>
        <source>Found</source>
        <translation>搜尋結果</translation>
    </message>
    <message>
        <source>@ nodes   : ops   # tables   &gt; commands      Enter goes there, Esc closes</source>
        <translation>@ 節點   : 運算   # 表格   &gt; 指令      Enter 前往，Esc 關閉</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Comparison</name>
    <message>
        <source>Comparing</source>
        <translation>比較中</translation>
    </message>
    <message numerus="yes">
        <source>%n left out of the data:</source>
        <translation>
            <numerusform>資料中略去 %n 項：</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ComparisonPanel</name>
    <message>
        <source>Comparison (stale)</source>
        <translation>比較（過時）</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Left out %1</source>
        <translation>略去 %1</translation>
    </message>
    <message>
        <source>SQNR of each operator&apos;s value, worst alone first</source>
        <translation>各運算值的 SQNR，單獨最差者在前</translation>
    </message>
    <message>
        <source>only this operator is quantized, and fed with the float model&apos;s values</source>
        <translation>只量化這個運算，輸入為浮點模型的值</translation>
    </message>
    <message>
        <source>all weights are quantized, no activation is</source>
        <translation>量化所有權重，不量化激活值</translation>
    </message>
    <message>
        <source>all activations are quantized, no weight is</source>
        <translation>量化所有激活值，不量化權重</translation>
    </message>
    <message>
        <source>simulated against float: what has come together up to here</source>
        <translation>模擬對浮點：到此累積的誤差</translation>
    </message>
    <message>
        <source>XNNPACK against simulated: what the int8 kernels add</source>
        <translation>XNNPACK 對模擬：int8 核心帶來的誤差</translation>
    </message>
    <message>
        <source>XNNPACK against float: all of it</source>
        <translation>XNNPACK 對浮點：全部誤差</translation>
    </message>
    <message>
        <source>All %1 samples</source>
        <translation>全部 %1 個樣本</translation>
    </message>
    <message>
        <source>%1
sha256 %2</source>
        <translation>%1
sha256 %2</translation>
    </message>
    <message>
        <source>Float model, simulated int8 and XNNPACK run on the same data, which calibration has not seen where there is such.</source>
        <translation>浮點模型、模擬 int8 與 XNNPACK 以相同的資料執行；可行時使用校準未見過的資料。</translation>
    </message>
    <message>
        <source>This model&apos;s labelled test images are there: accuracy is shown, too.</source>
        <translation>此模型附有標籤的測試影像已安裝，也會顯示正確率。</translation>
    </message>
    <message>
        <source>With labelled data of your own accuracy is shown, too.</source>
        <translation>若使用自己的有標籤資料，也會顯示正確率。</translation>
    </message>
    <message>
        <source>stale: the recipe has changed since</source>
        <translation>過時：設定已變更</translation>
    </message>
    <message>
        <source>Other data…</source>
        <translation>其他資料…</translation>
    </message>
    <message>
        <source>Nothing has been compared yet</source>
        <translation>尚未比較</translation>
    </message>
    <message>
        <source>Compare  F6</source>
        <translation>比較  F6</translation>
    </message>
    <message>
        <source>Accuracy</source>
        <translation>正確率</translation>
    </message>
    <message>
        <source>Outputs</source>
        <translation>輸出</translation>
    </message>
    <message>
        <source>Operators</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>Quantizations</source>
        <translation>量化</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>問題</translation>
    </message>
    <message>
        <source>all side by side</source>
        <translation>全部並列</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ConfusionMatrix</name>
    <message>
        <source>%1 of %2 samples of %3 are recognised</source>
        <translation>%3 的 %2 個樣本中有 %1 個判斷正確</translation>
    </message>
    <message>
        <source>%1 of %2 samples of %3 are taken for %4</source>
        <translation>%3 的 %2 個樣本中有 %1 個判為 %4</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ConvergencePage</name>
    <message>
        <source>Convergence</source>
        <translation>收斂</translation>
    </message>
    <message>
        <source>Convergence (stale)</source>
        <translation>收斂（已過期）</translation>
    </message>
    <message>
        <source>Calibration has one batch; there is nothing to compare it with.</source>
        <translation>校準只有一個批次，沒有可比較的對象。</translation>
    </message>
    <message>
        <source>The SQNR of the outputs after the first, the second, the fourth … batch of calibration, against the float model: whether more data would help.</source>
        <translation>校準第一、第二、第四……個批次之後輸出對浮點模型的 SQNR：更多資料是否有幫助。</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>量測</translation>
    </message>
    <message>
        <source>SQNR in dB against batches of calibration</source>
        <translation>SQNR（dB）對校準批次</translation>
    </message>
    <message numerus="yes">
        <source>%n batches are enough: from there on the SQNR stays within 0.5 dB.</source>
        <translation>
            <numerusform>%n 個批次就夠了：之後 SQNR 的變化不超過 0.5 dB。</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>The SQNR still moves with the last of the %n batches.</source>
        <translation>
            <numerusform>SQNR 仍隨 %n 個批次中的最後一個變動。</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::DiagnosisPage</name>
    <message>
        <source>Diagnosis %1</source>
        <translation>診斷 %1</translation>
    </message>
    <message>
        <source>Looked for: weights with an outlier or a dead channel, values quantized before a clamp or of one sign on a symmetric grid, inputs that share a range and leave one few codes, too few batches, and input values unlike the examples. None was found.</source>
        <translation>已檢查：權重的離群或失效通道、在截斷之前量化的值、對稱格點上只有單側的值、共用範圍而使其中之一只剩少數碼的輸入、批次太少，以及與範例不符的輸入值。沒有發現任何一項。</translation>
    </message>
    <message>
        <source>A comparison also shows shifted means, and data unlike those of calibration.</source>
        <translation>比較之後還會顯示平均值偏移，以及與校準資料不同的資料。</translation>
    </message>
    <message numerus="yes">
        <source>%n batches</source>
        <translation>
            <numerusform>%n 個批次</numerusform>
        </translation>
    </message>
    <message>
        <source>mean %1, std %2</source>
        <translation>平均值 %1、標準差 %2</translation>
    </message>
    <message>
        <source>Known illnesses of the quantized model are shown here, once it is converted.</source>
        <translation>模型轉換後，這裡會列出量化模型的已知問題。</translation>
    </message>
    <message>
        <source>A row selects its nodes, and can be mended; Ctrl+A takes all.</source>
        <translation>選取一列會選取其節點，並可加以改善；Ctrl+A 選取全部。</translation>
    </message>
    <message>
        <source>Apply as an edit</source>
        <translation>套用為一次編輯</translation>
    </message>
    <message>
        <source>Diagnosis</source>
        <translation>診斷</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <comment>what mends it, and where</comment>
        <translation>%1：%2</translation>
    </message>
    <message numerus="yes">
        <source>%n places to mend</source>
        <translation>
            <numerusform>%n 處可改善</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>Mend %n places</source>
        <translation>
            <numerusform>改善 %n 處</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Document</name>
    <message>
        <source>Opening %1</source>
        <translation>正在開啟 %1</translation>
    </message>
    <message>
        <source>Saving %1</source>
        <translation>正在儲存 %1</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::EvaluationDialog</name>
    <message>
        <source>no labels: outputs and operators are compared</source>
        <translation>沒有標籤：比較輸出與各運算</translation>
    </message>
    <message>
        <source>with labels</source>
        <translation>有標籤</translation>
    </message>
    <message numerus="yes">
        <source>with labels of %n classes</source>
        <translation>
            <numerusform>有 %n 個類別的標籤</numerusform>
        </translation>
    </message>
    <message>
        <source>left out: %1</source>
        <translation>略去：%1</translation>
    </message>
    <message>
        <source>Data to compare on</source>
        <translation>比較用的資料</translation>
    </message>
    <message>
        <source>Looking at the data …</source>
        <translation>正在檢視資料…</translation>
    </message>
    <message>
        <source>File…</source>
        <translation>檔案…</translation>
    </message>
    <message>
        <source>Choose a file</source>
        <translation>選擇檔案</translation>
    </message>
    <message>
        <source>Folder…</source>
        <translation>資料夾…</translation>
    </message>
    <message>
        <source>Choose a folder</source>
        <translation>選擇資料夾</translation>
    </message>
    <message>
        <source>The test data that come with the model</source>
        <translation>模型附帶的測試資料</translation>
    </message>
    <message>
        <source>Batches beside those of calibration</source>
        <translation>校準以外的批次</translation>
    </message>
    <message>
        <source>A file, or a folder of pictures or arrays</source>
        <translation>檔案，或存放圖片或陣列的資料夾</translation>
    </message>
    <message>
        <source>.npz, .npy, IDX, raw, or a folder</source>
        <translation>.npz、.npy、IDX、無標頭檔案或資料夾</translation>
    </message>
    <message>
        <source>IDX, .npy or CSV; folders of pictures bring their own</source>
        <translation>IDX、.npy 或 CSV；圖片資料夾自帶標籤</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>資料</translation>
    </message>
    <message>
        <source>Labels</source>
        <translation>標籤</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>One number, or one per channel: (value − mean) / std. Bytes become values from 0 to 1 first.</source>
        <translation>一個數字，或每通道一個：（值 − 平均）／標準差。位元組先轉成 0 到 1 的值。</translation>
    </message>
    <message>
        <source>stretch to the input&apos;s size</source>
        <translation>拉伸到輸入大小</translation>
    </message>
    <message>
        <source>Pictures: the shorter side is made this long, then the centre is cut out</source>
        <translation>圖片：短邊縮放到此長度，再裁切中央</translation>
    </message>
    <message>
        <source>as the model wants</source>
        <translation>依模型</translation>
    </message>
    <message>
        <source>1×28×28; only for files without a header</source>
        <translation>1×28×28；僅用於無標頭檔案</translation>
    </message>
    <message>
        <source>dtype of the input</source>
        <translation>輸入的 dtype</translation>
    </message>
    <message>
        <source>Mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>std</source>
        <translation>標準差</translation>
    </message>
    <message>
        <source>Resize</source>
        <translation>縮放</translation>
    </message>
    <message>
        <source>batch</source>
        <translation>批次大小</translation>
    </message>
    <message>
        <source>Raw sample</source>
        <translation>無標頭樣本</translation>
    </message>
    <message>
        <source>of</source>
        <translation>型別</translation>
    </message>
    <message>
        <source>The model takes %1. In an .npz the arrays are named b0_i0, b0_i1, … b1_i0: batch and input.</source>
        <translation>模型的輸入為 %1。.npz 中的陣列命名為 b0_i0、b0_i1、… b1_i0：批次與輸入。</translation>
    </message>
    <message>
        <source>Choose a file or a folder.</source>
        <translation>請選擇檔案或資料夾。</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::FileHelp</name>
    <message>
        <source>Not a .pt2 file</source>
        <translation>不是 .pt2 檔案</translation>
    </message>
    <message>
        <source>This window opens programs exported by torch.export. In Python, with the model and one set of example inputs at hand:</source>
        <translation>本視窗開啟以 torch.export 匯出的程式。準備好模型與一組範例輸入後，在 Python 中執行：</translation>
    </message>
    <message>
        <source>Copy the lines</source>
        <translation>複製程式碼</translation>
    </message>
    <message>
        <source>Open it anyway</source>
        <translation>仍要開啟</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::FittingTabs</name>
    <message>
        <source>More</source>
        <translation>更多</translation>
    </message>
    <message>
        <source>More tables</source>
        <translation>更多表格</translation>
    </message>
    <message>
        <source>Tables that find no room beside the others</source>
        <translation>旁邊放不下的表格</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::FocusBar</name>
    <message numerus="yes">
        <source>%n more</source>
        <translation>
            <numerusform>另 %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>Take %1 out of the focus</source>
        <translation>將 %1 移出焦點</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>焦點</translation>
    </message>
    <message>
        <source>add a node</source>
        <translation>加入節點</translation>
    </message>
    <message>
        <source>Focus node to add</source>
        <translation>要加入焦點的節點</translation>
    </message>
    <message>
        <source>hops</source>
        <translation>步數</translation>
    </message>
    <message>
        <source>Hops around the focus</source>
        <translation>焦點周圍的步數</translation>
    </message>
    <message>
        <source>both directions</source>
        <translation>雙向</translation>
    </message>
    <message>
        <source>upwards</source>
        <translation>往上</translation>
    </message>
    <message>
        <source>downwards</source>
        <translation>往下</translation>
    </message>
    <message>
        <source>Direction of the hops</source>
        <translation>步數的方向</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>q/dq on edges</source>
        <translation>q/dq 收進連線</translation>
    </message>
    <message>
        <source>panes in step</source>
        <translation>窗格同步</translation>
    </message>
    <message>
        <source>Back to the view before (Alt+Left)</source>
        <translation>回到前一個畫面（Alt+Left）</translation>
    </message>
    <message>
        <source>Forward (Alt+Right)</source>
        <translation>前進（Alt+Right）</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>前進</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::HardwarePart</name>
    <message>
        <source>none: any hardware</source>
        <translation>無：任何硬體</translation>
    </message>
    <message>
        <source>What the hardware does not allow</source>
        <translation>此硬體不允許之處</translation>
    </message>
    <message>
        <source>Scales are looked at after calibration.</source>
        <translation>校準之後才檢查縮放。</translation>
    </message>
    <message>
        <source>The recipe fits this hardware.</source>
        <translation>配方符合此硬體。</translation>
    </message>
    <message numerus="yes">
        <source>%n violations</source>
        <translation>
            <numerusform>%n 處違反</numerusform>
        </translation>
    </message>
    <message>
        <source>Fix the scales</source>
        <translation>固定縮放</translation>
    </message>
    <message>
        <source>Add rule</source>
        <translation>加入規則</translation>
    </message>
    <message>
        <source>Apply or revert the changed rules first.</source>
        <translation>請先套用或還原已變更的規則。</translation>
    </message>
    <message>
        <source>Changes the recipe so that these are gone; what gives or reads the same values changes along</source>
        <translation>變更配方使這些違反消失；產生或讀取相同值之處一併變更</translation>
    </message>
    <message>
        <source>Mend: %1</source>
        <translation>修正：%1</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Inspector</name>
    <message>
        <source>No model is open.</source>
        <translation>尚未開啟模型。</translation>
    </message>
    <message>
        <source>module %1</source>
        <translation>模組 %1</translation>
    </message>
    <message>
        <source>Not quantized: %1</source>
        <translation>未量化：%1</translation>
    </message>
    <message>
        <source>(begins at %1)</source>
        <translation>（起因於 %1）</translation>
    </message>
    <message>
        <source>Annotation</source>
        <translation>標註</translation>
    </message>
    <message>
        <source>rule: %1</source>
        <translation>規則：%1</translation>
    </message>
    <message>
        <source>Across stages</source>
        <translation>跨階段</translation>
    </message>
    <message>
        <source>Users</source>
        <translation>使用者</translation>
    </message>
    <message>
        <source>Metadata</source>
        <translation>中繼資料</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>複製</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::MarksPage</name>
    <message>
        <source>Bookmarks</source>
        <translation>書籤</translation>
    </message>
    <message>
        <source>Bookmarks %1</source>
        <translation>書籤 %1</translation>
    </message>
    <message>
        <source>Ctrl+B puts a bookmark on the selected node; notes are written in the inspector. Both are kept in the project.</source>
        <translation>Ctrl+B 為選取的節點加上書籤；備註在檢視面板中書寫。兩者都保存在專案裡。</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::MarksPart</name>
    <message>
        <source>Note on %1</source>
        <translation>%1 的備註</translation>
    </message>
    <message>
        <source>Bookmark and note</source>
        <translation>書籤與備註</translation>
    </message>
    <message>
        <source>Bookmarked</source>
        <translation>已加書籤</translation>
    </message>
    <message>
        <source>Bookmark</source>
        <translation>加上書籤</translation>
    </message>
    <message>
        <source>Listed under Bookmarks (Ctrl+B)</source>
        <translation>列在「書籤」中 (Ctrl+B)</translation>
    </message>
    <message>
        <source>A note on this node</source>
        <translation>這個節點的備註</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::NodeTable</name>
    <message>
        <source>No row has all these words.</source>
        <translation>沒有任何列含有所有這些字。</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ObservedPart</name>
    <message>
        <source>Values at %1</source>
        <translation>%1 的數值</translation>
    </message>
    <message numerus="yes">
        <source>%n batches</source>
        <translation>
            <numerusform>%n 批</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 values</source>
        <translation>%1 個值</translation>
    </message>
    <message>
        <source>scale %1   zero point %2</source>
        <translation>縮放 %1   零點 %2</translation>
    </message>
    <message>
        <source>clipped %1 %</source>
        <translation>截斷 %1 %</translation>
    </message>
    <message numerus="yes">
        <source>%n scales, one per channel</source>
        <translation>
            <numerusform>%n 個縮放，每通道一個</numerusform>
        </translation>
    </message>
    <message>
        <source>scale %1 to %2</source>
        <translation>縮放 %1 至 %2</translation>
    </message>
    <message>
        <source>Not calibrated yet</source>
        <translation>尚未校準</translation>
    </message>
    <message>
        <source>smallest %1   largest %2</source>
        <translation>最小 %1   最大 %2</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>範圍</translation>
    </message>
    <message>
        <source>How the range is chosen</source>
        <translation>範圍的選擇方式</translation>
    </message>
    <message>
        <source>From the histogram above; writes a fixed scale and zero point</source>
        <translation>由上方直方圖求得；寫入固定的縮放與零點</translation>
    </message>
    <message>
        <source>as the quantizer said</source>
        <translation>依量化器所定</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>固定</translation>
    </message>
    <message>
        <source>Drag the ends of the range to fix it</source>
        <translation>拖曳範圍兩端以固定之</translation>
    </message>
    <message>
        <source>by hand</source>
        <translation>手動</translation>
    </message>
    <message>
        <source>Range of %1: %2</source>
        <translation>%1 的範圍：%2</translation>
    </message>
    <message>
        <source>All ranges: %1</source>
        <translation>所有範圍：%1</translation>
    </message>
    <message>
        <source>Range after each batch</source>
        <translation>每批之後的範圍</translation>
    </message>
    <message>
        <source>from batch %1 on the scale stays within 1 %</source>
        <translation>自第 %1 批起縮放變化在 1 % 以內</translation>
    </message>
    <message>
        <source>the scale still moves with the last batch</source>
        <translation>最後一批仍使縮放變動</translation>
    </message>
    <message>
        <source>SQNR of these values: %1 dB after the first batch, %2 dB after the last</source>
        <translation>這些值的 SQNR：第一批後 %1 dB，最後一批後 %2 dB</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::KeySheet</name>
    <message>
        <source>Keys</source>
        <translation>按鍵</translation>
    </message>
    <message>
        <source>Everywhere</source>
        <translation>任何地方</translation>
    </message>
    <message>
        <source>In a graph</source>
        <translation>在圖中</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>walk along an edge</source>
        <translation>沿著連線走</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右</translation>
    </message>
    <message>
        <source>go to what stands beside</source>
        <translation>到旁邊的節點</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Home</translation>
    </message>
    <message>
        <source>first node</source>
        <translation>第一個節點</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>focus on the node</source>
        <translation>以該節點為焦點</translation>
    </message>
    <message>
        <source>+, −, wheel</source>
        <translation>+、−、滾輪</translation>
    </message>
    <message>
        <source>zoom</source>
        <translation>縮放畫面</translation>
    </message>
    <message>
        <source>Space or 0</source>
        <translation>空白鍵或 0</translation>
    </message>
    <message>
        <source>fit all</source>
        <translation>顯示全部</translation>
    </message>
    <message>
        <source>1</source>
        <translation>1</translation>
    </message>
    <message>
        <source>actual size</source>
        <translation>實際大小</translation>
    </message>
    <message>
        <source>Shift+arrows</source>
        <translation>Shift＋方向鍵</translation>
    </message>
    <message>
        <source>pan</source>
        <translation>平移</translation>
    </message>
    <message>
        <source>Page Up, Page Down</source>
        <translation>Page Up、Page Down</translation>
    </message>
    <message>
        <source>pan by a page</source>
        <translation>平移一頁</translation>
    </message>
    <message>
        <source>Menu</source>
        <translation>選單鍵</translation>
    </message>
    <message>
        <source>what can be done with the node</source>
        <translation>可對節點做的事</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>select nothing</source>
        <translation>取消選取</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::MainWindow</name>
    <message>
        <source>Select two nodes of which one is reached from the other.</source>
        <translation>請選取兩個節點，其中一個可從另一個到達。</translation>
    </message>
    <message>
        <source>Forget all</source>
        <translation>全部清除</translation>
    </message>
    <message>
        <source>About PT2E Workbench</source>
        <translation>關於 PT2E Workbench</translation>
    </message>
    <message>
        <source>PT2E Workbench %1</source>
        <translation>PT2E Workbench %1</translation>
    </message>
    <message>
        <source>Shows how PyTorch&apos;s PT2E quantization turns a model into int8, stage by stage.</source>
        <translation>一步一步呈現 PyTorch 的 PT2E 量化如何把模型變成 int8。</translation>
    </message>
    <message>
        <source>Cannot open %1. %2</source>
        <translation>無法開啟 %1。%2</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>已過時</translation>
    </message>
    <message numerus="yes">
        <source>%n partitions</source>
        <translation>
            <numerusform>%n 個分區</numerusform>
        </translation>
    </message>
    <message>
        <source>Calibration data</source>
        <translation>校準資料</translation>
    </message>
    <message>
        <source>Arrays (*.npz *.npy);;All files (*)</source>
        <translation>陣列 (*.npz *.npy);;所有檔案 (*)</translation>
    </message>
    <message>
        <source>Calibrate with %1</source>
        <translation>以 %1 校準</translation>
    </message>
    <message>
        <source>Save the converted model</source>
        <translation>儲存轉換後的模型</translation>
    </message>
    <message>
        <source>Save the annotated float model</source>
        <translation>儲存附標註的浮點模型</translation>
    </message>
    <message>
        <source>Exported programs (*.pt2)</source>
        <translation>匯出的程式 (*.pt2)</translation>
    </message>
    <message>
        <source>There is nothing to save yet</source>
        <translation>還沒有可儲存的內容</translation>
    </message>
    <message>
        <source>Saving a model</source>
        <translation>正在儲存模型</translation>
    </message>
    <message>
        <source>Cannot save %1. %2</source>
        <translation>無法儲存 %1。%2</translation>
    </message>
    <message>
        <source>Export a figure</source>
        <translation>匯出圖形</translation>
    </message>
    <message>
        <source>SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;DOT (*.dot)</source>
        <translation>SVG (*.svg);;PDF (*.pdf);;PNG (*.png);;DOT (*.dot)</translation>
    </message>
    <message>
        <source>There is nothing to export yet</source>
        <translation>還沒有可匯出的內容</translation>
    </message>
    <message>
        <source>Wrote %1</source>
        <translation>已寫入 %1</translation>
    </message>
    <message>
        <source>Exporting a figure</source>
        <translation>匯出圖形中</translation>
    </message>
    <message>
        <source>Open a model or a project</source>
        <translation>開啟模型或專案</translation>
    </message>
    <message>
        <source>Programs and projects (*.pt2 *.pt2ew);;All files (*)</source>
        <translation>程式與專案 (*.pt2 *.pt2ew);;所有檔案 (*)</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::MixedPrecisionPart</name>
    <message numerus="yes">
        <source>%n groups in float: %1, %2 of the MACs and %3 of the weights in float</source>
        <translation>
            <numerusform>%n 個群組為浮點：%1，%2 的 MAC 與 %3 的權重為浮點</numerusform>
        </translation>
    </message>
    <message>
        <source>MACs in float</source>
        <translation>浮點 MAC</translation>
    </message>
    <message>
        <source>target</source>
        <translation>目標</translation>
    </message>
    <message numerus="yes">
        <source>searching: %n groups in float so far</source>
        <translation>
            <numerusform>搜尋中：目前 %n 個群組為浮點</numerusform>
        </translation>
    </message>
    <message>
        <source>searching…</source>
        <translation>搜尋中…</translation>
    </message>
    <message>
        <source>As few groups as can be that have to stay float.</source>
        <translation>找出最少必須保持浮點的群組。</translation>
    </message>
    <message numerus="yes">
        <source>The target is not met: %1 with %n groups in float.</source>
        <translation>
            <numerusform>未達目標：%n 個群組為浮點時為 %1。</numerusform>
        </translation>
    </message>
    <message>
        <source>The target is met with everything quantized: %1.</source>
        <translation>全部量化即達目標：%1。</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message>
        <source>Target</source>
        <translation>目標</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>搜尋</translation>
    </message>
    <message>
        <source>Sets to float, one by one, the group that costs the most, until the target is met; then tries each of them quantized again</source>
        <translation>逐一把損失最大的群組設為浮點，直到達成目標；再逐一嘗試改回量化</translation>
    </message>
    <message>
        <source>Apply as an edit</source>
        <translation>套用為一次編輯</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ModelPage</name>
    <message>
        <source>built-in model</source>
        <translation>內建模型</translation>
    </message>
    <message>
        <source>Select a node to see its call, annotation and values.</source>
        <translation>選取節點，即可查看其呼叫、標註與數值。</translation>
    </message>
    <message>
        <source>Program</source>
        <translation>程式</translation>
    </message>
    <message>
        <source>inputs</source>
        <translation>輸入</translation>
    </message>
    <message>
        <source>outputs</source>
        <translation>輸出</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>%1 values, %2</source>
        <translation>%1 個值，%2</translation>
    </message>
    <message>
        <source>In int8</source>
        <translation>int8 部分</translation>
    </message>
    <message>
        <source>ops</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 / %2</translation>
    </message>
    <message>
        <source>MACs</source>
        <translation>MAC</translation>
    </message>
    <message>
        <source>weight bytes</source>
        <translation>權重位元組</translation>
    </message>
    <message>
        <source>observers</source>
        <translation>觀察器</translation>
    </message>
    <message>
        <source>Ops</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>in int8 / all</source>
        <translation>int8／全部</translation>
    </message>
    <message>
        <source>Select them</source>
        <translation>選取這些節點</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ObserverBadge</name>
    <message>
        <source>no observer</source>
        <translation>沒有觀察器</translation>
    </message>
    <message>
        <source>observer %1</source>
        <translation>觀察器 %1</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::OutlineModel</name>
    <message>
        <source>module</source>
        <translation>模組</translation>
    </message>
    <message>
        <source>class</source>
        <translation>類別</translation>
    </message>
    <message>
        <source>nodes</source>
        <translation>節點數</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::OutlinePanel</name>
    <message>
        <source>Modules</source>
        <translation>模組</translation>
    </message>
    <message>
        <source>The nodes of this model name no modules.</source>
        <translation>這個模型的節點沒有模組資訊。</translation>
    </message>
    <message>
        <source>Module outline</source>
        <translation>模組大綱</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::OverlayBar</name>
    <message>
        <source>Error</source>
        <translation>誤差</translation>
    </message>
    <message>
        <source>Engine</source>
        <translation>引擎</translation>
    </message>
    <message>
        <source>Weight bytes</source>
        <translation>權重位元組</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>時間</translation>
    </message>
    <message>
        <source>A comparison has its figures</source>
        <translation>需先比較才有數據</translation>
    </message>
    <message>
        <source>stale: the recipe has changed since</source>
        <translation>過時：設定已變更</translation>
    </message>
    <message>
        <source>Overlay</source>
        <translation>疊圖</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>No overlay</source>
        <translation>無疊圖</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>問題</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::PartitionsPage</name>
    <message>
        <source>Partitions (stale)</source>
        <translation>分區（過時）</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>分區</translation>
    </message>
    <message>
        <source>Compare (F6) shows what ran where, by which kernel, and why not in int8.</source>
        <translation>比較（F6）會顯示各運算在哪裡、以哪個核心執行，以及為何不是 int8。</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::PlaceChooser</name>
    <message>
        <source>other inputs</source>
        <translation>其他輸入</translation>
    </message>
    <message>
        <source>output</source>
        <translation>輸出</translation>
    </message>
    <message>
        <source>What is put at the %1</source>
        <translation>放在%1的設定</translation>
    </message>
    <message>
        <source>leave as it is</source>
        <translation>保持原樣</translation>
    </message>
    <message>
        <source>not quantized</source>
        <translation>不量化</translation>
    </message>
    <message>
        <source>int8 activation</source>
        <translation>int8 活化值</translation>
    </message>
    <message>
        <source>int8 weight, a scale per channel</source>
        <translation>int8 權重，每通道一個縮放</translation>
    </message>
    <message>
        <source>int8 weight, one scale</source>
        <translation>int8 權重，單一縮放</translation>
    </message>
    <message>
        <source>shared with the first input</source>
        <translation>與第一個輸入共用</translation>
    </message>
    <message>
        <source>int32 bias: input scale × weight scale</source>
        <translation>int32 偏差：輸入縮放 × 權重縮放</translation>
    </message>
    <message>
        <source>fixed scale…</source>
        <translation>固定縮放…</translation>
    </message>
    <message>
        <source>custom…</source>
        <translation>自訂…</translation>
    </message>
    <message>
        <source>OK</source>
        <translation>確定</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ProjectDesk</name>
    <message>
        <source>Changes are not kept against a crash. %1</source>
        <translation>目前的變更無法在當機後復原。%1</translation>
    </message>
    <message>
        <source>PT2E Workbench</source>
        <translation>PT2E Workbench</translation>
    </message>
    <message>
        <source>%1[*] – PT2E Workbench</source>
        <translation>%1[*] – PT2E Workbench</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>未儲存的變更</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>要儲存對 %1 的變更嗎？</translation>
    </message>
    <message>
        <source>A project keeps the settings, edits, bookmarks and notes. The model&apos;s file is not changed.</source>
        <translation>專案會保存設定、編輯、書籤與備註；模型的檔案不會變更。</translation>
    </message>
    <message>
        <source>The model is not there</source>
        <translation>找不到模型</translation>
    </message>
    <message>
        <source>%1 is not where the project says.</source>
        <translation>%1 不在專案所記的位置。</translation>
    </message>
    <message>
        <source>It was %1. Where is it now?</source>
        <translation>原本是 %1。現在在哪裡？</translation>
    </message>
    <message>
        <source>Choose the file…</source>
        <translation>選擇檔案…</translation>
    </message>
    <message>
        <source>Where is %1?</source>
        <translation>%1 在哪裡？</translation>
    </message>
    <message>
        <source>Exported programs (*.pt2);;All files (*)</source>
        <translation>匯出的程式 (*.pt2);;所有檔案 (*)</translation>
    </message>
    <message>
        <source>Save the project</source>
        <translation>儲存專案</translation>
    </message>
    <message>
        <source>Projects (*.pt2ew)</source>
        <translation>專案 (*.pt2ew)</translation>
    </message>
    <message>
        <source>Cannot save %1. %2</source>
        <translation>無法儲存 %1。%2</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>已儲存 %1</translation>
    </message>
    <message>
        <source>Work on %1 was not saved when the program ended:</source>
        <translation>程式結束時，%1 的工作尚未儲存：</translation>
    </message>
    <message numerus="yes">
        <source>%n edits</source>
        <translation>
            <numerusform>%n 項編輯</numerusform>
        </translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>復原工作</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>捨棄</translation>
    </message>
    <message>
        <source>%1 has changed on disk.</source>
        <translation>磁碟上的 %1 已變更。</translation>
    </message>
    <message>
        <source>Reload</source>
        <translation>重新載入</translation>
    </message>
    <message>
        <source>Keep what is shown</source>
        <translation>保留目前顯示的內容</translation>
    </message>
    <message>
        <source>%1 is not the file that this work was made with. Edits were applied again by the names of nodes; what no longer fits is listed in Problems.</source>
        <translation>%1 不是製作這份工作時所用的檔案。編輯已依節點名稱重新套用；不再適用的列在「問題」中。</translation>
    </message>
    <message>
        <source>Show problems</source>
        <translation>顯示問題</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
    <message>
        <source>Select a node of the exported graph, or one that was made of it.</source>
        <translation>請選取匯出圖中的節點，或由它產生的節點。</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>儲存</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1, last at %2</source>
        <translation>%1，最後於 %2</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::RecipesPage</name>
    <message>
        <source>Recipes</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>Recipes (stale)</source>
        <translation>配方（已過時）</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>無</translation>
    </message>
    <message>
        <source>before the last edit</source>
        <translation>上次編輯之前</translation>
    </message>
    <message>
        <source>the recipe kept</source>
        <translation>保留的配方</translation>
    </message>
    <message>
        <source>a file…</source>
        <translation>檔案…</translation>
    </message>
    <message>
        <source>That quantizer with the present settings, without edits</source>
        <translation>以目前設定使用該量化器，不含編輯</translation>
    </message>
    <message>
        <source>A recipe as JSON, calibrated on the present data</source>
        <translation>JSON 格式的配方，以目前的資料校準</translation>
    </message>
    <message>
        <source>A recipe to compare with</source>
        <translation>要比較的配方</translation>
    </message>
    <message>
        <source>Recipes (*.json);;All files (*)</source>
        <translation>配方 (*.json);;所有檔案 (*)</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>執行中…</translation>
    </message>
    <message>
        <source>The second recipe ends early: %1</source>
        <translation>第二個配方提早結束：%1</translation>
    </message>
    <message>
        <source>Both make the same of this model.</source>
        <translation>兩者對此模型的結果相同。</translation>
    </message>
    <message numerus="yes">
        <source>%n differences</source>
        <translation>
            <numerusform>%n 處差異</numerusform>
        </translation>
    </message>
    <message>
        <source>both run on %1</source>
        <translation>兩者皆在 %1 上執行</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Run both</source>
        <translation>執行兩者</translation>
    </message>
    <message>
        <source>Beside this recipe</source>
        <translation>與此配方並列</translation>
    </message>
    <message>
        <source>Keep this one</source>
        <translation>保留此配方</translation>
    </message>
    <message>
        <source>Holds the recipe as it is now, to stand beside later ones</source>
        <translation>保留目前的配方，以便與之後的並列</translation>
    </message>
    <message>
        <source>Outputs, accuracy, size and time of both, on the data of the comparison</source>
        <translation>在比較所用的資料上，兩者的輸出、正確率、大小與時間</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>已過時</translation>
    </message>
    <message>
        <source>In all</source>
        <translation>總計</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>差異</translation>
    </message>
    <message>
        <source>Two recipes on this model</source>
        <translation>此模型的兩個配方</translation>
    </message>
    <message>
        <source>Choose what stands beside the present recipe: the other quantizer, the recipe before the last edit, one that you keep, or a file. The tables then show what each of them quantizes and where they differ; “Run both” adds outputs, accuracy, size and time.</source>
        <translation>選擇與目前配方並列者：另一個量化器、上次編輯之前的配方、您保留的配方，或檔案。表格會顯示兩者各量化了什麼、哪裡不同；「執行兩者」再加上輸出、正確率、大小與時間。</translation>
    </message>
    <message>
        <source>What both recipes come to</source>
        <translation>兩個配方的結果</translation>
    </message>
    <message>
        <source>Where the recipes differ</source>
        <translation>配方不同之處</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::RuleForm</name>
    <message>
        <source>not quantized: takes the annotation away</source>
        <translation>不量化：移除標註</translation>
    </message>
    <message>
        <source>may share an observer it is not told to share</source>
        <translation>可共用未指定的觀察器</translation>
    </message>
    <message>
        <source>any operator; * and ? stand for characters</source>
        <translation>任何運算；* 與 ? 代表字元</translation>
    </message>
    <message>
        <source>any module; with what is inside it</source>
        <translation>任何模組，含其內部</translation>
    </message>
    <message>
        <source>any name; conv2d_*</source>
        <translation>任何名稱；conv2d_*</translation>
    </message>
    <message>
        <source>any dtype</source>
        <translation>任何 dtype</translation>
    </message>
    <message>
        <source>all of them</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>the first of them</source>
        <translation>其中第一個</translation>
    </message>
    <message>
        <source>the last of them</source>
        <translation>其中最後一個</translation>
    </message>
    <message>
        <source>Operator</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>Module</source>
        <translation>模組</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>名稱</translation>
    </message>
    <message>
        <source>Gives</source>
        <translation>產生</translation>
    </message>
    <message>
        <source>Of these</source>
        <translation>其中</translation>
    </message>
    <message>
        <source>Tell one more input apart</source>
        <translation>再區分一個輸入</translation>
    </message>
    <message>
        <source>Tell one input less apart</source>
        <translation>少區分一個輸入</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::RulesDialog</name>
    <message>
        <source>finds no operator of this model</source>
        <translation>在此模型中找不到運算</translation>
    </message>
    <message numerus="yes">
        <source>finds %n operators: %1</source>
        <translation>
            <numerusform>找到 %n 個運算：%1</numerusform>
        </translation>
    </message>
    <message>
        <source>Rules of the recipe</source>
        <translation>配方的規則</translation>
    </message>
    <message numerus="yes">
        <source>%n operators</source>
        <translation>
            <numerusform>%n 個運算</numerusform>
        </translation>
    </message>
    <message>
        <source>Change the rules</source>
        <translation>變更規則</translation>
    </message>
    <message>
        <source>Rules come behind the quantizer and before edits: each puts the same at all operators it finds. There is none yet.</source>
        <translation>規則在量化器之後、編輯之前套用：每條規則對所找到的全部運算做相同設定。目前尚無規則。</translation>
    </message>
    <message>
        <source>Rules in their order</source>
        <translation>依序的規則</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>新增</translation>
    </message>
    <message>
        <source>Duplicate</source>
        <translation>複製</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Earlier; a later rule wins</source>
        <translation>提前；較後的規則優先</translation>
    </message>
    <message>
        <source>Later; a later rule wins</source>
        <translation>延後；較後的規則優先</translation>
    </message>
    <message>
        <source>Hardware</source>
        <translation>硬體</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>套用</translation>
    </message>
    <message>
        <source>Revert</source>
        <translation>還原</translation>
    </message>
    <message>
        <source>Back to the rules that the recipe has</source>
        <translation>回到配方現有的規則</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>關閉</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SearchModel</name>
    <message>
        <source>command</source>
        <translation>指令</translation>
    </message>
    <message>
        <source>table</source>
        <translation>表格</translation>
    </message>
    <message>
        <source>op</source>
        <translation>運算</translation>
    </message>
    <message>
        <source>node</source>
        <translation>節點</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SecondRecipe</name>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>保留的</translation>
    </message>
    <message>
        <source>Cannot read %1. %2</source>
        <translation>無法讀取 %1。%2</translation>
    </message>
    <message>
        <source>Stages of the second recipe</source>
        <translation>第二個配方的階段</translation>
    </message>
    <message>
        <source>Running both recipes</source>
        <translation>執行兩個配方</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SensitivityPanel</name>
    <message>
        <source>less than a second left</source>
        <translation>剩不到一秒</translation>
    </message>
    <message numerus="yes">
        <source>about %n s left</source>
        <translation>
            <numerusform>約剩 %n 秒</numerusform>
        </translation>
    </message>
    <message>
        <source>SQNR of the outputs</source>
        <translation>輸出的 SQNR</translation>
    </message>
    <message>
        <source>cosine of the outputs</source>
        <translation>輸出的餘弦</translation>
    </message>
    <message>
        <source>mean squared error</source>
        <translation>均方誤差</translation>
    </message>
    <message>
        <source>same class as float</source>
        <translation>與浮點同類別</translation>
    </message>
    <message>
        <source>accuracy</source>
        <translation>正確率</translation>
    </message>
    <message>
        <source>Sensitivity (stale)</source>
        <translation>敏感度（過時）</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>敏感度</translation>
    </message>
    <message>
        <source>points: %1</source>
        <translation>點：%1</translation>
    </message>
    <message>
        <source>The float model runs first…</source>
        <translation>先執行浮點模型…</translation>
    </message>
    <message>
        <source>%1 of %2 groups</source>
        <translation>%1／%2 個群組</translation>
    </message>
    <message>
        <source>everything quantized %1</source>
        <translation>全部量化 %1</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Resume  F7</source>
        <translation>繼續  F7</translation>
    </message>
    <message>
        <source>Run  F7</source>
        <translation>執行  F7</translation>
    </message>
    <message>
        <source>Save scores</source>
        <translation>儲存分數</translation>
    </message>
    <message>
        <source>JSON (*.json);;CSV (*.csv)</source>
        <translation>JSON (*.json);;CSV (*.csv)</translation>
    </message>
    <message>
        <source>Load scores</source>
        <translation>載入分數</translation>
    </message>
    <message>
        <source>Scores (*.json *.csv);;All files (*)</source>
        <translation>分數 (*.json *.csv);;所有檔案 (*)</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>無法讀取 %1</translation>
    </message>
    <message>
        <source>only one group quantized</source>
        <translation>只量化一個群組</translation>
    </message>
    <message>
        <source>all but one group quantized</source>
        <translation>除一個群組外全部量化</translation>
    </message>
    <message>
        <source>only the weights of one group</source>
        <translation>只量化一個群組的權重</translation>
    </message>
    <message>
        <source>only the activations of one group</source>
        <translation>只量化一個群組的啟動值</translation>
    </message>
    <message>
        <source>What is quantized</source>
        <translation>量化的範圍</translation>
    </message>
    <message>
        <source>A group: values that share an observer, and the weights of the operators they come from</source>
        <translation>群組：共用一個觀察器的值，以及產生這些值的運算的權重</translation>
    </message>
    <message>
        <source>Metric</source>
        <translation>指標</translation>
    </message>
    <message>
        <source>stale: the recipe has changed since</source>
        <translation>過時：設定已變更</translation>
    </message>
    <message>
        <source>Scores</source>
        <translation>分數</translation>
    </message>
    <message>
        <source>Save scores…</source>
        <translation>儲存分數…</translation>
    </message>
    <message>
        <source>Load scores…</source>
        <translation>載入分數…</translation>
    </message>
    <message>
        <source>Which part of the quantization costs the most?</source>
        <translation>哪個部分的量化損失最大？</translation>
    </message>
    <message>
        <source>Each group of points that share an observer, with the weights of its operators, is quantized alone, or left in float alone, and the model&apos;s outputs are held against those of the float model. Then as few groups as can be are found that have to stay float to meet a target.</source>
        <translation>每個共用觀察器的群組連同其運算的權重，會單獨量化或單獨保持浮點，並將模型輸出與浮點模型的輸出比較。接著可找出為達目標最少必須保持浮點的群組。</translation>
    </message>
    <message>
        <source>stale</source>
        <translation>已過時</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SensitivityRun</name>
    <message>
        <source>Sensitivity</source>
        <translation>敏感度</translation>
    </message>
    <message>
        <source>Mixed precision</source>
        <translation>混合精度</translation>
    </message>
    <message numerus="yes">
        <source>Mixed precision: %n groups in float</source>
        <translation>
            <numerusform>混合精度：%n 個群組為浮點</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::Session</name>
    <message>
        <source>Opening %1</source>
        <translation>開啟 %1</translation>
    </message>
    <message>
        <source>Running stages</source>
        <translation>執行各階段</translation>
    </message>
    <message>
        <source>Applying the change</source>
        <translation>套用變更</translation>
    </message>
    <message>
        <source>Make a rule for %1</source>
        <translation>為 %1 建立規則</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SpecDialog</name>
    <message>
        <source>may share an observer it is not told to share</source>
        <translation>可共用未指定的觀察器</translation>
    </message>
    <message>
        <source>Annotation of %1</source>
        <translation>%1 的標註</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>套用</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::SpecForm</name>
    <message>
        <source>is no whole number</source>
        <translation>不是整數</translation>
    </message>
    <message>
        <source>none (float32)</source>
        <translation>無（float32）</translation>
    </message>
    <message>
        <source>observed</source>
        <translation>觀察</translation>
    </message>
    <message>
        <source>fixed scale and zero point</source>
        <translation>固定的縮放與零點</translation>
    </message>
    <message>
        <source>shared with another point</source>
        <translation>與另一處共用</translation>
    </message>
    <message>
        <source>derived: product of two scales</source>
        <translation>推導：兩個縮放的乘積</translation>
    </message>
    <message>
        <source>Quantize</source>
        <translation>量化方式</translation>
    </message>
    <message>
        <source>dtype</source>
        <translation>dtype</translation>
    </message>
    <message>
        <source>Range</source>
        <translation>範圍</translation>
    </message>
    <message>
        <source>Scheme</source>
        <translation>方案</translation>
    </message>
    <message>
        <source>Channel axis</source>
        <translation>通道軸</translation>
    </message>
    <message>
        <source>Observer</source>
        <translation>觀察器</translation>
    </message>
    <message>
        <source>Scale</source>
        <translation>縮放</translation>
    </message>
    <message>
        <source>Zero point</source>
        <translation>零點</translation>
    </message>
    <message>
        <source>Point</source>
        <translation>位置</translation>
    </message>
    <message>
        <source>Scale of</source>
        <translation>縮放來自</translation>
    </message>
    <message>
        <source>times scale of</source>
        <translation>乘以縮放來自</translation>
    </message>
    <message>
        <source>is no scale: a number larger than 0</source>
        <translation>不是縮放：須為大於 0 的數</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::StagePane</name>
    <message>
        <source>%1 · %2</source>
        <comment>a stage, and whose it is</comment>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Collapsed: a double click shows what is in it</source>
        <translation>已收合：按兩下可查看內容</translation>
    </message>
    <message numerus="yes">
        <source>, %n items</source>
        <translation>
            <numerusform>，%n 個項目</numerusform>
        </translation>
    </message>
    <message>
        <source>What will %1 look like?</source>
        <translation>%1階段會長什麼樣子？</translation>
    </message>
    <message>
        <source>Predict first. F10 shows the next stage, F5 all of them.</source>
        <translation>先預測看看。F10 顯示下一階段，F5 顯示全部。</translation>
    </message>
    <message>
        <source>Working…</source>
        <translation>執行中…</translation>
    </message>
    <message>
        <source>Not run yet</source>
        <translation>尚未執行</translation>
    </message>
    <message>
        <source>F5 runs all stages, F10 the next one.</source>
        <translation>F5 執行所有階段，F10 執行下一階段。</translation>
    </message>
    <message>
        <source>Add a pane</source>
        <translation>新增窗格</translation>
    </message>
    <message>
        <source>Close this pane</source>
        <translation>關閉此窗格</translation>
    </message>
    <message>
        <source>Path between the two</source>
        <translation>兩者之間的路徑</translation>
    </message>
    <message>
        <source>Which stage this pane shows</source>
        <translation>此窗格顯示哪個階段</translation>
    </message>
    <message>
        <source>Focus on %1</source>
        <translation>以 %1 為焦點</translation>
    </message>
    <message>
        <source>Add %1 to the focus</source>
        <translation>將 %1 加入焦點</translation>
    </message>
    <message>
        <source>Copy name</source>
        <translation>複製名稱</translation>
    </message>
    <message>
        <source>Look into %1</source>
        <translation>進入 %1</translation>
    </message>
    <message>
        <source>Leave the sub-graph</source>
        <translation>離開子圖</translation>
    </message>
    <message>
        <source>Show the whole graph</source>
        <translation>顯示整張圖</translation>
    </message>
    <message>
        <source>Fit</source>
        <translation>顯示全部</translation>
    </message>
    <message>
        <source>Hidden neighbour: click to show it</source>
        <translation>隱藏的鄰居：按一下即可顯示</translation>
    </message>
    <message>
        <source>not quantized: %1</source>
        <translation>未量化：%1</translation>
    </message>
    <message>
        <source>No such stage</source>
        <translation>沒有這個階段</translation>
    </message>
    <message>
        <source>The file is quantized already: it is shown as it is.</source>
        <translation>這個檔案已經量化：直接照原樣顯示。</translation>
    </message>
    <message>
        <source>Converted program</source>
        <translation>已轉換的程式</translation>
    </message>
    <message>
        <source>QAT program</source>
        <translation>QAT 程式</translation>
    </message>
    <message>
        <source>Make a rule of this</source>
        <translation>以此建立規則</translation>
    </message>
    <message>
        <source>note: %1</source>
        <translation>備註：%1</translation>
    </message>
    <message>
        <source>Drag it onto another observer to share that one</source>
        <translation>拖到另一個觀察器上即可共用</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::StageStrip</name>
    <message numerus="yes">
        <source>%n nodes</source>
        <translation>
            <numerusform>%n 個節點</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 of %2 ops</source>
        <translation>%1 / %2 個運算</translation>
    </message>
    <message numerus="yes">
        <source>+%n observers</source>
        <translation>
            <numerusform>+%n 觀察器</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 / %2 batches</source>
        <translation>%1 / %2 批</translation>
    </message>
    <message>
        <source>+%1 q/dq</source>
        <translation>+%1 q/dq</translation>
    </message>
    <message>
        <source>hidden</source>
        <translation>已隱藏</translation>
    </message>
    <message>
        <source>working…</source>
        <translation>執行中…</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>失敗</translation>
    </message>
    <message>
        <source>not run</source>
        <translation>未執行</translation>
    </message>
    <message>
        <source>Compare runs it</source>
        <translation>按「比較」執行</translation>
    </message>
    <message>
        <source>%1 of %2 ops · %3 % MACs</source>
        <translation>%1 / %2 個運算 · %3 % MAC</translation>
    </message>
    <message>
        <source>%1 % weight bytes</source>
        <translation>%1 % 權重位元組</translation>
    </message>
    <message>
        <source>already done</source>
        <translation>已完成</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::StartPage</name>
    <message>
        <source>No files yet.</source>
        <translation>還沒有檔案。</translation>
    </message>
    <message>
        <source>PT2E Workbench</source>
        <translation>PT2E Workbench</translation>
    </message>
    <message>
        <source>Watch a model become int8: exported, prepared and converted side by side, with PyTorch&apos;s own names and numbers.</source>
        <translation>看著模型變成 int8：匯出、準備、轉換並排呈現，名稱與數字和 PyTorch 完全一致。</translation>
    </message>
    <message>
        <source>Built-in models</source>
        <translation>內建模型</translation>
    </message>
    <message>
        <source>Your own model</source>
        <translation>你自己的模型</translation>
    </message>
    <message>
        <source>Drop a .pt2 file here. Three lines of Python make one:</source>
        <translation>把 .pt2 檔案拖到這裡。三行 Python 就能產生：</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>開啟檔案…</translation>
    </message>
    <message>
        <source>Copy the lines</source>
        <translation>複製程式碼</translation>
    </message>
    <message>
        <source>Recent models</source>
        <translation>最近的模型</translation>
    </message>
    <message>
        <source>Recent projects</source>
        <translation>最近的專案</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::StatusLine</name>
    <message>
        <source>%1: stopped</source>
        <translation>%1：已停止</translation>
    </message>
    <message>
        <source>%1 ended by a fault of this program: %2</source>
        <translation>%1 因本程式的錯誤而中止：%2</translation>
    </message>
    <message>
        <source>Ready</source>
        <translation>就緒</translation>
    </message>
    <message>
        <source>%1 MB</source>
        <translation>%1 MB</translation>
    </message>
    <message>
        <source>Memory of this program</source>
        <translation>本程式使用的記憶體</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1：%2</translation>
    </message>
    <message>
        <source>about %1 left</source>
        <translation>約剩 %1</translation>
    </message>
    <message>
        <source>for %1</source>
        <translation>已進行 %1</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::TablesPanel</name>
    <message>
        <source>Op counts</source>
        <translation>運算數量</translation>
    </message>
    <message>
        <source>Observers</source>
        <translation>觀察器</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>標註</translation>
    </message>
    <message>
        <source>Not quantized %1</source>
        <translation>未量化 %1</translation>
    </message>
    <message>
        <source>Sharing</source>
        <translation>共用</translation>
    </message>
    <message>
        <source>Problems %1</source>
        <translation>問題 %1</translation>
    </message>
    <message>
        <source>Filter rows</source>
        <translation>篩選</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>複製</translation>
    </message>
    <message>
        <source>As text</source>
        <translation>純文字</translation>
    </message>
    <message>
        <source>As CSV</source>
        <translation>CSV</translation>
    </message>
    <message>
        <source>As JSON</source>
        <translation>JSON</translation>
    </message>
    <message>
        <source>No errors and no warnings.</source>
        <translation>沒有錯誤，也沒有警告。</translation>
    </message>
    <message>
        <source>Its stage was not reached yet: F10 runs the next one, F5 all.</source>
        <translation>尚未到達其階段：F10 執行下一階段，F5 執行全部。</translation>
    </message>
    <message>
        <source>prepare_pt2e inserted no observer.</source>
        <translation>prepare_pt2e 沒有插入觀察器。</translation>
    </message>
    <message>
        <source>No operator is annotated.</source>
        <translation>沒有運算被標註。</translation>
    </message>
    <message>
        <source>No operator was left out.</source>
        <translation>沒有運算被遺漏。</translation>
    </message>
    <message>
        <source>No points share an observer.</source>
        <translation>沒有點共用觀察器。</translation>
    </message>
    <message>
        <source>There are no operators.</source>
        <translation>沒有運算。</translation>
    </message>
    <message>
        <source>Not quantized</source>
        <translation>未量化</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::TopBar</name>
    <message>
        <source>Choose the quantizer</source>
        <translation>選擇量化器</translation>
    </message>
    <message>
        <source>Weights per channel</source>
        <translation>權重逐通道</translation>
    </message>
    <message>
        <source>Weights per tensor</source>
        <translation>權重逐張量</translation>
    </message>
    <message>
        <source>No model</source>
        <translation>未開啟模型</translation>
    </message>
    <message numerus="yes">
        <source>%n random batches</source>
        <translation>
            <numerusform>%n 批亂數資料</numerusform>
        </translation>
    </message>
    <message>
        <source>example inputs</source>
        <translation>範例輸入</translation>
    </message>
    <message>
        <source>file…</source>
        <translation>檔案…</translation>
    </message>
    <message>
        <source>Choose calibration data</source>
        <translation>選擇校準資料</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>開啟</translation>
    </message>
    <message>
        <source>Quantizer</source>
        <translation>量化器</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>權重</translation>
    </message>
    <message>
        <source>Data</source>
        <translation>資料</translation>
    </message>
    <message>
        <source>Calibration data</source>
        <translation>校準資料</translation>
    </message>
    <message>
        <source>none</source>
        <translation>無</translation>
    </message>
    <message>
        <source>per channel</source>
        <translation>逐通道</translation>
    </message>
    <message>
        <source>per tensor</source>
        <translation>逐張量</translation>
    </message>
    <message>
        <source>Run  F5</source>
        <translation>執行  F5</translation>
    </message>
    <message>
        <source>Run all stages (F5)</source>
        <translation>執行所有階段（F5）</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Run float, simulated int8 and XNNPACK, and compare (F6)</source>
        <translation>執行浮點、模擬 int8 與 XNNPACK 並比較（F6）</translation>
    </message>
    <message>
        <source>Find node, op, table or command   Ctrl+K</source>
        <translation>尋找節點、運算、表格或指令   Ctrl+K</translation>
    </message>
    <message>
        <source>Find   Ctrl+K</source>
        <translation>尋找   Ctrl+K</translation>
    </message>
    <message>
        <source>no global setting</source>
        <translation>沒有全域設定</translation>
    </message>
    <message numerus="yes">
        <source>%n module settings</source>
        <translation>
            <numerusform>%n 項模組設定</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%n operator settings</source>
        <translation>
            <numerusform>%n 項運算設定</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ValuesPart</name>
    <message>
        <source>Values in the three runs</source>
        <translation>三次執行的值</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>量測</translation>
    </message>
    <message>
        <source>measuring …</source>
        <translation>量測中…</translation>
    </message>
    <message numerus="yes">
        <source>%n batches</source>
        <translation>
            <numerusform>%n 批</numerusform>
        </translation>
    </message>
    <message>
        <source>Values of %1 from %2 to %3</source>
        <translation>%1 的值，從 %2 到 %3</translation>
    </message>
    <message>
        <source>heights are square roots of the counts</source>
        <translation>高度為次數的平方根</translation>
    </message>
    <message>
        <source>clipped %1 % of the values</source>
        <translation>截斷 %1 % 的值</translation>
    </message>
    <message>
        <source>codes used: %1 of %2, %3 %</source>
        <translation>使用的碼：%1／%2，%3 %</translation>
    </message>
    <message>
        <source>rounding MSE %1   clipping MSE %2</source>
        <translation>捨入 MSE %1   截斷 MSE %2</translation>
    </message>
    <message>
        <source>smallest</source>
        <translation>最小</translation>
    </message>
    <message>
        <source>largest</source>
        <translation>最大</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>平均</translation>
    </message>
    <message>
        <source>std</source>
        <translation>標準差</translation>
    </message>
    <message>
        <source>part of another operator in this run</source>
        <translation>在此次執行中屬於另一個運算</translation>
    </message>
</context>
<context>
    <name>ModuleMenu</name>
    <message>
        <source>Expand %1</source>
        <translation>展開 %1</translation>
    </message>
    <message>
        <source>Expand all %1</source>
        <translation>全部展開（%1 個）</translation>
    </message>
    <message>
        <source>Collapse %1</source>
        <translation>收合 %1</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ModuleButton</name>
    <message>
        <source>Modules: all open</source>
        <translation>模組：全部展開</translation>
    </message>
    <message numerus="yes">
        <source>Modules: %n collapsed</source>
        <translation>
            <numerusform>模組：收合 %n 個</numerusform>
        </translation>
    </message>
    <message>
        <source>Show modules as one box each</source>
        <translation>每個模組以一個方塊顯示</translation>
    </message>
    <message>
        <source>%1 ops are inside. “Expand all” shows the whole graph.</source>
        <translation>其中有 %1 個運算。「全部展開」顯示整個圖。</translation>
    </message>
    <message>
        <source>Expand all</source>
        <translation>全部展開</translation>
    </message>
    <message>
        <source>Collapse the outermost modules</source>
        <translation>收合最外層的模組</translation>
    </message>
    <message>
        <source>Collapse at depth %1</source>
        <translation>在第 %1 層收合</translation>
    </message>
    <message>
        <source>Modules alike as one box</source>
        <translation>相同的模組合為一個方塊</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ModuleActions</name>
    <message>
        <source>Select a collapsed module to expand it.</source>
        <translation>請選取要展開的收合模組。</translation>
    </message>
    <message>
        <source>Select a node in a module to collapse the module.</source>
        <translation>請選取模組中的節點以收合該模組。</translation>
    </message>
    <message>
        <source>A large graph: its modules are shown as boxes. %1 expands all of them.</source>
        <translation>圖很大：模組以方塊顯示。%1 可全部展開。</translation>
    </message>
</context>
<context>
    <name>Conflict</name>
    <message>
        <source>Not possible: %1</source>
        <translation>無法套用：%1</translation>
    </message>
    <message>
        <source>Note: %1</source>
        <translation>注意：%1</translation>
    </message>
    <message>
        <source>Nothing speaks against it.</source>
        <translation>沒有衝突。</translation>
    </message>
</context>
<context>
    <name>Duration</name>
    <message>
        <source>%1 ms</source>
        <translation>%1 毫秒</translation>
    </message>
    <message>
        <source>%1 s</source>
        <translation>%1 秒</translation>
    </message>
    <message>
        <source>%1 min %2 s</source>
        <translation>%1 分 %2 秒</translation>
    </message>
    <message>
        <source>%1 h %2 min</source>
        <translation>%1 小時 %2 分</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::JobNotice</name>
    <message>
        <source>Done after %1</source>
        <translation>歷時 %1 完成</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::LogPage</name>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
    <message>
        <source>%1: stopped</source>
        <translation>%1：已停止</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ShareDrag</name>
    <message>
        <source>Drag it onto another point to share that one&apos;s observer</source>
        <translation>拖到另一個點上，即可共用該點的觀察器</translation>
    </message>
    <message>
        <source>Drop %1 on the point whose observer it is to share. Esc gives up.</source>
        <translation>將 %1 放到要共用其觀察器的點上；按 Esc 放棄。</translation>
    </message>
    <message>
        <source>Looking at %1 …</source>
        <translation>正在檢查 %1 …</translation>
    </message>
    <message>
        <source>%1 and %2 share one observer already.</source>
        <translation>%1 與 %2 已共用同一個觀察器。</translation>
    </message>
    <message>
        <source>%1 shares the observer of %2</source>
        <translation>%1 將共用 %2 的觀察器</translation>
    </message>
    <message>
        <source>They share one observer already.</source>
        <translation>兩者已共用同一個觀察器。</translation>
    </message>
    <message>
        <source>Share %1 with %2</source>
        <translation>%1 與 %2 共用</translation>
    </message>
</context>
<context>
    <name>Sentence</name>
    <message>
        <source>the observer of %1 is made later than that of %2</source>
        <translation>%1 的觀察器建立得比 %2 的晚</translation>
    </message>
    <message>
        <source>nothing is asked for at %1</source>
        <translation>%1 沒有任何標註</translation>
    </message>
    <message>
        <source>%1 would share with itself, by way of %2</source>
        <translation>%1 會經由 %2 與自己共用</translation>
    </message>
    <message>
        <source>at %1 a value is given in %2 and read in %3: it is quantized twice</source>
        <translation>在 %1，數值以 %2 給出、以 %3 讀取：會量化兩次</translation>
    </message>
    <message>
        <source>at %1 a value is given as %2 and read as %3: it is quantized twice</source>
        <translation>在 %1，數值給出時是 %2、讀取時是 %3：會量化兩次</translation>
    </message>
    <message>
        <source>XNNPACK has no kernels for weights in %1: what it touches runs in float there</source>
        <translation>XNNPACK 沒有 %1 權重的核心：相關運算在那裡以浮點執行</translation>
    </message>
    <message>
        <source>XNNPACK has no kernels for activations in %1: what it touches runs in float there</source>
        <translation>XNNPACK 沒有 %1 啟動值的核心：相關運算在那裡以浮點執行</translation>
    </message>
    <message>
        <source>%1 is not a tensor: it cannot be quantized, calibration or convert_pt2e fails</source>
        <translation>%1 不是張量：無法量化，校準或 convert_pt2e 會失敗</translation>
    </message>
    <message>
        <source>what it observes is not a tensor</source>
        <translation>它觀察的不是張量</translation>
    </message>
    <message>
        <source>%1: what it observes is not a tensor</source>
        <translation>%1：它觀察的不是張量</translation>
    </message>
    <message>
        <source>%1, so that prepare_pt2e fails</source>
        <translation>%1，因此 prepare_pt2e 會失敗</translation>
    </message>
    <message>
        <source>there is no node &apos;%1&apos;</source>
        <translation>沒有節點「%1」</translation>
    </message>
    <message>
        <source>&apos;%1&apos; does not read &apos;%2&apos;</source>
        <translation>「%1」不讀取「%2」</translation>
    </message>
    <message>
        <source>must be &apos;node&apos; or &apos;node-&gt;user&apos;</source>
        <translation>必須是「節點」或「節點-&gt;使用者」</translation>
    </message>
    <message>
        <source>the range %1..%2 must contain 0</source>
        <translation>範圍 %1..%2 必須包含 0</translation>
    </message>
    <message>
        <source>quant_min must be less than quant_max</source>
        <translation>quant_min 必須小於 quant_max</translation>
    </message>
    <message>
        <source>a range of %1 values does not fit %2</source>
        <translation>%1 個值的範圍放不進 %2</translation>
    </message>
    <message>
        <source>dtype %1 cannot be observed</source>
        <translation>dtype %1 無法觀測</translation>
    </message>
    <message>
        <source>a qscheme is needed</source>
        <translation>需要 qscheme</translation>
    </message>
    <message>
        <source>a per-channel observer needs a per-channel qscheme, not %1</source>
        <translation>逐通道觀察器需要逐通道 qscheme，而不是 %1</translation>
    </message>
    <message>
        <source>a per-channel observer cannot be dynamic</source>
        <translation>逐通道觀察器不能是動態的</translation>
    </message>
    <message>
        <source>a per-channel observer needs an axis</source>
        <translation>逐通道觀察器需要指定軸</translation>
    </message>
    <message>
        <source>qscheme %1 needs a per-channel observer</source>
        <translation>qscheme %1 需要逐通道觀察器</translation>
    </message>
    <message>
        <source>cannot be dynamic</source>
        <translation>不能是動態的</translation>
    </message>
    <message>
        <source>a dynamic moving average needs averaging_constant 1</source>
        <translation>動態的移動平均需要 averaging_constant 為 1</translation>
    </message>
    <message>
        <source>is made from a fixed or derived spec only</source>
        <translation>只能由固定或衍生的規格建立</translation>
    </message>
    <message>
        <source>bins must be between 1 and 1048576</source>
        <translation>bins 必須介於 1 與 1048576 之間</translation>
    </message>
    <message>
        <source>a per-channel qscheme needs an axis</source>
        <translation>逐通道 qscheme 需要指定軸</translation>
    </message>
    <message>
        <source>a tensor of rank %1 has no axis %2</source>
        <translation>%1 維的張量沒有第 %2 軸</translation>
    </message>
    <message>
        <source>a tensor of rank 1 has nothing but channels (torchao raises IndexError here)</source>
        <translation>一維張量只有通道（torchao 在此拋出 IndexError）</translation>
    </message>
    <message>
        <source>saw tensors with %1 and %2 channels</source>
        <translation>見到 %1 個通道與 %2 個通道的張量</translation>
    </message>
    <message>
        <source>there is no histogram of these values</source>
        <translation>這些值沒有直方圖</translation>
    </message>
    <message>
        <source>the histogram has no finite values</source>
        <translation>直方圖中沒有有限的值</translation>
    </message>
    <message>
        <source>the values are quantized per channel</source>
        <translation>這些值是逐通道量化的</translation>
    </message>
    <message>
        <source>range of [%1, %2] is not finite</source>
        <translation>範圍 [%1, %2] 不是有限的</translation>
    </message>
    <message>
        <source>per_channel_affine_float_qparams has zero points that are not integers</source>
        <translation>per_channel_affine_float_qparams 的零點不是整數</translation>
    </message>
    <message>
        <source>the smallest value seen is not below the largest one (NaN among the values?)</source>
        <translation>見到的最小值不小於最大值（值中有 NaN？）</translation>
    </message>
    <message>
        <source>a product of scales needs exactly two observers</source>
        <translation>縮放的乘積需要剛好兩個觀察器</translation>
    </message>
    <message>
        <source>the two scales have different numbers of channels</source>
        <translation>兩個縮放的通道數不同</translation>
    </message>
    <message>
        <source>has no one scale that could change from batch to batch</source>
        <translation>沒有會隨批次改變的單一縮放</translation>
    </message>
    <message>
        <source>has seen no values</source>
        <translation>沒有見到任何值</translation>
    </message>
    <message>
        <source>there are no batches</source>
        <translation>沒有任何批次</translation>
    </message>
    <message>
        <source>is to share with &apos;%1&apos;, which has no annotation (torchao raises KeyError)</source>
        <translation>應與「%1」共用，但該處沒有標註（torchao 拋出 KeyError）</translation>
    </message>
    <message>
        <source>shared specs name each other in a circle</source>
        <translation>共用的規格彼此循環參照</translation>
    </message>
    <message>
        <source>its annotation names an input that is not in the graph</source>
        <translation>它的標註提到圖中沒有的輸入</translation>
    </message>
    <message>
        <source>refers to &apos;%1&apos;, which has no observer yet (torchao raises AssertionError here)</source>
        <translation>參照「%1」，但該處還沒有觀察器（torchao 在此拋出 AssertionError）</translation>
    </message>
    <message>
        <source>its output shares the observer of a point that is not observed (torchao raises AttributeError here)</source>
        <translation>它的輸出共用一個未被觀測之點的觀察器（torchao 在此拋出 AttributeError）</translation>
    </message>
    <message>
        <source>keyword argument &apos;%1&apos; holds a node (torchao raises AssertionError here)</source>
        <translation>關鍵字引數「%1」含有節點（torchao 在此拋出 AssertionError）</translation>
    </message>
    <message>
        <source>an argument is neither a tensor nor a number</source>
        <translation>有引數既不是張量也不是數字</translation>
    </message>
    <message>
        <source>there is no quantizer %1</source>
        <translation>沒有量化器 %1</translation>
    </message>
    <message>
        <source>a GRU called without an explicit hidden state cannot be annotated (the quantizer raises IndexError here)</source>
        <translation>沒有明確給出隱藏狀態的 GRU 無法標註（量化器在此拋出 IndexError）</translation>
    </message>
    <message>
        <source>a GRU must have exactly two used results to be annotated (the quantizer raises AssertionError here)</source>
        <translation>GRU 必須剛好有兩個用到的結果才能標註（量化器在此拋出 AssertionError）</translation>
    </message>
    <message>
        <source>stands for an adaptive average pooling but is %1 (the quantizer raises here)</source>
        <translation>代表自適應平均池化，但其實是 %1（量化器在此拋出例外）</translation>
    </message>
    <message>
        <source>stands for a torch.cat but is %1 (the quantizer raises here)</source>
        <translation>代表 torch.cat，但其實是 %1（量化器在此拋出例外）</translation>
    </message>
    <message>
        <source>only int8 and uint8 can be quantized dynamically</source>
        <translation>只有 int8 與 uint8 可以動態量化</translation>
    </message>
    <message>
        <source>cannot fold the batch norm: %1</source>
        <translation>無法摺疊 batch norm：%1</translation>
    </message>
    <message>
        <source>an argument is no node</source>
        <translation>有引數不是節點</translation>
    </message>
    <message>
        <source>%1 is an input of this graph, not a parameter</source>
        <translation>%1 是此圖的輸入，不是參數</translation>
    </message>
    <message>
        <source>attribute &apos;%1&apos; has no value</source>
        <translation>屬性「%1」沒有值</translation>
    </message>
    <message>
        <source>cannot fold a batch norm without running statistics</source>
        <translation>沒有執行統計值的 batch norm 無法摺疊</translation>
    </message>
    <message>
        <source>its eps is no number</source>
        <translation>它的 eps 不是數字</translation>
    </message>
    <message>
        <source>has no weight</source>
        <translation>沒有權重</translation>
    </message>
    <message>
        <source>cannot fold a batch norm without weight and bias into a linear (torchao raises TypeError here)</source>
        <translation>沒有權重與偏差的 batch norm 無法摺疊進 linear（torchao 在此拋出 TypeError）</translation>
    </message>
    <message>
        <source>is a sub-graph of a sub-graph, which torchao&apos;s convert loses (it raises in DuplicateDQPass: references nonexistent attribute)</source>
        <translation>是子圖中的子圖，torchao 的 convert 會遺失它（在 DuplicateDQPass 拋出：references nonexistent attribute）</translation>
    </message>
    <message>
        <source>one of the points it is derived from is not observed (torchao raises AttributeError here)</source>
        <translation>其來源點之一沒有被觀測（torchao 在此拋出 AttributeError）</translation>
    </message>
    <message>
        <source>one it is derived from has no scale</source>
        <translation>其來源之一沒有縮放</translation>
    </message>
    <message>
        <source>none of %1 ops is quantized</source>
        <translation>%1 個運算都沒有量化</translation>
    </message>
    <message>
        <source>its annotation in the file is left out: %1</source>
        <translation>略過檔案中的標註：%1</translation>
    </message>
    <message>
        <source>no operator of the model matches</source>
        <translation>模型中沒有符合的運算</translation>
    </message>
    <message>
        <source>%1 names an input that this operator does not have; that spec is left out</source>
        <translation>%1 提到此運算沒有的輸入；該規格已略過</translation>
    </message>
    <message>
        <source>a %1: it is shown and run as it is, and not quantized again</source>
        <translation>%1：照原樣顯示與執行，不再量化</translation>
    </message>
    <message>
        <source>a %1: they are what counts while no quantizer is chosen</source>
        <translation>%1：未選擇量化器時以這些標註為準</translation>
    </message>
    <message>
        <source>the activations of %1 of %2 batches found no room in memory or on disk; the model runs again on them after an edit</source>
        <translation>%2 個批次中有 %1 個的啟動值在記憶體與磁碟都放不下；編輯後模型會對它們重新執行</translation>
    </message>
    <message>
        <source>never observed a value: %1 gives scale 1 and zero point 0</source>
        <translation>從未觀測到值：%1 給出縮放 1 與零點 0</translation>
    </message>
    <message>
        <source>not folded into %1: its input is %2-dimensional, so linear and batch norm work on different dimensions</source>
        <translation>未摺疊進 %1：其輸入是 %2 維，linear 與 batch norm 作用在不同的維度</translation>
    </message>
    <message>
        <source>lost, not folded: the weight of %1 already took over another batch norm, so results change</source>
        <translation>遺失而非摺疊：%1 的權重已納入另一個 batch norm，結果會改變</translation>
    </message>
    <message>
        <source>reads %1, which now contains %2: its input changes</source>
        <translation>讀取 %1，而它現在包含 %2：其輸入會改變</translation>
    </message>
    <message>
        <source>%1 op of its sub-graph stays float: prepare does not go in there</source>
        <translation>其子圖中有 %1 個運算維持浮點：prepare 不會進入子圖</translation>
    </message>
    <message>
        <source>%1 ops of its sub-graphs stay float: prepare does not go in there</source>
        <translation>其子圖中有 %1 個運算維持浮點：prepare 不會進入子圖</translation>
    </message>
    <message>
        <source>both inputs are the same value: its map of inputs has one entry, so both have one spec</source>
        <translation>兩個輸入是同一個值：輸入對照表只有一項，因此兩者共用一個規格</translation>
    </message>
    <message>
        <source>the quantizer made its number a float32 tensor, so the %1 result becomes float32</source>
        <translation>量化器把它的數字變成 float32 張量，因此 %1 結果變成 float32</translation>
    </message>
    <message>
        <source>has more users than its relu, so the two are not fused: its output is observed before the relu</source>
        <translation>除了 relu 還有其他使用者，因此兩者不融合：其輸出在 relu 之前觀測</translation>
    </message>
    <message>
        <source>its output is observed before a clamp clips it: only a relu is fused</source>
        <translation>其輸出在 clamp 截斷之前觀測：只有 relu 會融合</translation>
    </message>
    <message>
        <source>%1 (and %2 more like it)</source>
        <translation>%1（另有 %2 個相同情形）</translation>
    </message>
    <message>
        <source>no annotation and no warning from the quantizer: %1</source>
        <translation>量化器沒有標註也沒有警告：%1</translation>
    </message>
    <message>
        <source>stays float without a word from the quantizer: %1</source>
        <translation>維持浮點，而量化器沒有任何說明：%1</translation>
    </message>
    <message>
        <source>its weight is quantized along axis 0, which are the input channels of a transposed convolution</source>
        <translation>其權重沿第 0 軸量化，而那是轉置卷積的輸入通道</translation>
    </message>
    <message>
        <source>the torchao quantizer keeps settings by operator and never reads them (%1 here)</source>
        <translation>torchao 量化器保存依運算的設定但從不讀取（此處有 %1 個）</translation>
    </message>
    <message>
        <source>its output is annotated, but it has several: prepare inserts no observer there</source>
        <translation>其輸出有標註，但有多個輸出：prepare 不會在那裡插入觀察器</translation>
    </message>
    <message>
        <source>the model&apos;s file is not the one that this was made with: edits, bookmarks and notes are applied again by the names of nodes</source>
        <translation>模型檔案與當初建立時的不同：編輯、書籤與備註依節點名稱重新套用</translation>
    </message>
    <message>
        <source>the %1 cannot be read</source>
        <translation>無法讀取%1</translation>
    </message>
    <message>
        <source>the %1 are not those that this was made with: numbers may differ</source>
        <translation>%1與當初建立時的不同：數字可能有差異</translation>
    </message>
    <message>
        <source>calibration data</source>
        <translation>校準資料</translation>
    </message>
    <message>
        <source>evaluation data</source>
        <translation>評估資料</translation>
    </message>
    <message>
        <source>the archive has no archive_format record; Python refuses to load it</source>
        <translation>封存檔沒有 archive_format 記錄；Python 會拒絕載入</translation>
    </message>
    <message>
        <source>the archive&apos;s version is not 0; Python refuses to load it</source>
        <translation>封存檔的版本不是 0；Python 會拒絕載入</translation>
    </message>
    <message>
        <source>record &apos;%1&apos; is missing</source>
        <translation>缺少記錄「%1」</translation>
    </message>
    <message>
        <source>the example inputs cannot be used: %1</source>
        <translation>無法使用範例輸入：%1</translation>
    </message>
    <message>
        <source>%1 values for %2 inputs</source>
        <translation>%2 個輸入卻有 %1 個值</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is an object that only Python can load</source>
        <translation>「%1」是只有 Python 能載入的物件</translation>
    </message>
    <message>
        <source>weights of &apos;%1&apos; are not in the file; zeros are used</source>
        <translation>「%1」的權重不在檔案中；以零代替</translation>
    </message>
    <message>
        <source>effect tokens stay in the graph as inputs</source>
        <translation>effect token 以輸入的形式留在圖中</translation>
    </message>
    <message>
        <source>a dict argument is shown as a list of pairs; the node cannot be run</source>
        <translation>dict 引數顯示為成對的清單；此節點無法執行</translation>
    </message>
    <message>
        <source>an argument of the kind &apos;%1&apos; is not known; the node cannot be run</source>
        <translation>不認識種類為「%1」的引數；此節點無法執行</translation>
    </message>
    <message>
        <source>the file does not say what &apos;%1&apos; is</source>
        <translation>檔案沒有說明「%1」是什麼</translation>
    </message>
    <message>
        <source>schema %1 is newer than what this program knows (8)</source>
        <translation>schema %1 比本程式所知的（8）更新</translation>
    </message>
    <message>
        <source>schema %1 can no longer be loaded by current PyTorch</source>
        <translation>目前的 PyTorch 已無法載入 schema %1</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has no value: %2</source>
        <translation>「%1」沒有值：%2</translation>
    </message>
    <message>
        <source>it is not in the file</source>
        <translation>不在檔案中</translation>
    </message>
    <message>
        <source>&apos;%1&apos; has another shape or dtype than the graph says</source>
        <translation>「%1」的形狀或 dtype 與圖中所述不同</translation>
    </message>
    <message>
        <source>dtype #%1 is not known; the value cannot be used</source>
        <translation>不認識 dtype #%1；無法使用此值</translation>
    </message>
    <message>
        <source>%1 random batches</source>
        <translation>%1 批亂數資料</translation>
    </message>
    <message>
        <source>1 random batch after the %1 of calibration</source>
        <translation>校準用的 %1 批之後的 1 批亂數資料</translation>
    </message>
    <message>
        <source>%1 random batches after the %2 of calibration</source>
        <translation>校準用的 %2 批之後的 %1 批亂數資料</translation>
    </message>
    <message>
        <source>1 batch after the %1 of calibration in %2</source>
        <translation>%2 中校準用的 %1 批之後的 1 批</translation>
    </message>
    <message>
        <source>%1 batches after the %2 of calibration in %3</source>
        <translation>%3 中校準用的 %2 批之後的 %1 批</translation>
    </message>
    <message>
        <source>%1, which calibration saw too</source>
        <translation>%1，校準時也用過</translation>
    </message>
    <message>
        <source>example inputs of the file</source>
        <translation>檔案中的範例輸入</translation>
    </message>
    <message>
        <source>%1, %2 sample</source>
        <translation>%1，%2 個樣本</translation>
    </message>
    <message>
        <source>%1, %2 samples</source>
        <translation>%1，%2 個樣本</translation>
    </message>
    <message>
        <source>%1, the first %2 of %3 samples</source>
        <translation>%1，%3 個樣本中的前 %2 個</translation>
    </message>
    <message>
        <source>%1 files of arrays</source>
        <translation>%1 個陣列檔案</translation>
    </message>
    <message>
        <source>there are no example inputs to calibrate with; choose random or a file</source>
        <translation>沒有可供校準的範例輸入；請選擇亂數或檔案</translation>
    </message>
    <message>
        <source>has a NaN</source>
        <translation>含有 NaN</translation>
    </message>
    <message>
        <source>is neither a PNG nor a JPEG picture</source>
        <translation>既不是 PNG 也不是 JPEG 圖片</translation>
    </message>
    <message>
        <source>is neither a .npz nor a .npy file</source>
        <translation>既不是 .npz 也不是 .npy 檔案</translation>
    </message>
    <message>
        <source>has shape %1, input &apos;%2&apos; needs %3</source>
        <translation>形狀是 %1，輸入「%2」需要 %3</translation>
    </message>
    <message>
        <source>has dtype %1, input &apos;%2&apos; needs %3</source>
        <translation>dtype 是 %1，輸入「%2」需要 %3</translation>
    </message>
    <message>
        <source>the picture is too large</source>
        <translation>圖片太大</translation>
    </message>
    <message>
        <source>has no batch to judge on</source>
        <translation>沒有可供評估的批次</translation>
    </message>
    <message>
        <source>there is no batch to look at</source>
        <translation>沒有可供檢視的批次</translation>
    </message>
    <message>
        <source>holds %1 labels, the data (%2) have %3 samples</source>
        <translation>有 %1 個標籤，但資料（%2）有 %3 個樣本</translation>
    </message>
    <message>
        <source>the model has no node &apos;%1&apos; any more, where the project has %2</source>
        <translation>模型已沒有節點「%1」，專案在那裡有%2</translation>
    </message>
    <message>
        <source>a bookmark</source>
        <translation>書籤</translation>
    </message>
    <message>
        <source>the note &quot;%1&quot;</source>
        <translation>備註「%1」</translation>
    </message>
    <message>
        <source>1 random batch</source>
        <translation>1 批亂數資料</translation>
    </message>
    <message>
        <source>%1, per channel</source>
        <translation>%1，逐通道</translation>
    </message>
    <message>
        <source>labels</source>
        <translation>標籤</translation>
    </message>
</context>
<context>
    <name>Glossary</name>
    <message>
        <source>How many times worse than it should be; the worst stand first.</source>
        <translation>比應有的情況差幾倍；最差的排在最前面。</translation>
    </message>
    <message>
        <source>Calibration used this many batches, from the first one on.</source>
        <translation>校準使用了這麼多批次，從第一批算起。</translation>
    </message>
    <message>
        <source>How many observers have a scale that is more than 1 % off the one with all batches.</source>
        <translation>有多少觀察器的縮放與使用全部批次時相差超過 1 %。</translation>
    </message>
    <message>
        <source>What is counted or measured.</source>
        <translation>計數或量測的項目。</translation>
    </message>
    <message>
        <source>The second recipe&apos;s number minus the first one&apos;s.</source>
        <translation>第二個配方的數字減去第一個的。</translation>
    </message>
    <message>
        <source>The node or edge at which the two recipes differ.</source>
        <translation>兩個配方不同之處的節點或邊。</translation>
    </message>
    <message>
        <source>What differs there: the operator, its annotation, the observer, what it is shared with, q and dq, or where the operator runs.</source>
        <translation>不同的是什麼：運算、其標註、觀察器、共用對象、q 與 dq，或運算在何處執行。</translation>
    </message>
    <message>
        <source>One of the two ways to quantize the model that are compared here.</source>
        <translation>此處比較的兩種模型量化方式之一。</translation>
    </message>
    <message>
        <source>The step between two neighbouring integers: real value = scale × (integer − zero point).</source>
        <translation>兩個相鄰整數之間的步距：實際值 = 縮放 ×（整數 − 零點）。</translation>
    </message>
    <message>
        <source>The integer that stands for the real value 0. It is 0 in symmetric schemes.</source>
        <translation>代表實際值 0 的整數；在對稱方案中為 0。</translation>
    </message>
    <message>
        <source>Scale and zero point: how real values are mapped to integers here.</source>
        <translation>縮放與零點：此處實際值如何對應到整數。</translation>
    </message>
    <message>
        <source>Watches the values at a point while calibration runs, and chooses scale and zero point from what it saw. Points that share one observer get the same.</source>
        <translation>校準時觀察某點的值，並據此選出縮放與零點；共用觀察器的點得到相同的參數。</translation>
    </message>
    <message>
        <source>The class of observer: how it turns what it saw into a range.</source>
        <translation>觀察器的類別：如何把見到的值變成範圍。</translation>
    </message>
    <message>
        <source>The node whose value the observer sees.</source>
        <translation>觀察器所見值的來源節點。</translation>
    </message>
    <message>
        <source>The nodes that read the value behind the observer.</source>
        <translation>在觀察器之後讀取該值的節點。</translation>
    </message>
    <message>
        <source>One scale for each channel of a weight instead of one for all of it.</source>
        <translation>權重的每個通道各有一個縮放，而不是整個權重共用一個。</translation>
    </message>
    <message>
        <source>One scale for the whole tensor.</source>
        <translation>整個張量共用一個縮放。</translation>
    </message>
    <message>
        <source>quantize writes integers, dequantize makes real numbers of them again. What stands between the two can run in int8.</source>
        <translation>quantize 寫出整數，dequantize 再轉回實數；介於兩者之間的部分可用 int8 執行。</translation>
    </message>
    <message>
        <source>Signal to quantization noise ratio: power of the exact values over power of the error. 6 dB are about one bit.</source>
        <translation>訊號對量化雜訊比：精確值的功率除以誤差的功率；6 dB 約為一個位元。</translation>
    </message>
    <message>
        <source>Signal to quantization noise ratio of the run against the other one. More is better; 6 dB are about one bit.</source>
        <translation>此次執行相對於另一次的訊號對量化雜訊比；愈大愈好，6 dB 約為一個位元。</translation>
    </message>
    <message>
        <source>The SQNR of the batch in which it is lowest.</source>
        <translation>各批次中最低的 SQNR。</translation>
    </message>
    <message>
        <source>SQNR of what XNNPACK computes against the float model.</source>
        <translation>XNNPACK 計算結果相對於浮點模型的 SQNR。</translation>
    </message>
    <message>
        <source>SQNR of XNNPACK&apos;s kernels against the simulation, that is, without the error of quantization itself.</source>
        <translation>XNNPACK 核心相對於模擬的 SQNR，也就是不含量化本身的誤差。</translation>
    </message>
    <message>
        <source>SQNR of this operator when only it is quantized.</source>
        <translation>只量化此運算時的 SQNR。</translation>
    </message>
    <message>
        <source>SQNR when only the operator&apos;s weights are quantized.</source>
        <translation>只量化此運算權重時的 SQNR。</translation>
    </message>
    <message>
        <source>SQNR when only the operator&apos;s activations are quantized.</source>
        <translation>只量化此運算啟動值時的 SQNR。</translation>
    </message>
    <message>
        <source>SQNR of this value in the whole quantized model: with the errors of all that comes before.</source>
        <translation>此值在整個量化模型中的 SQNR：包含前面所有的誤差。</translation>
    </message>
    <message>
        <source>Cosine of the angle between the two results as vectors; 1 is the same direction.</source>
        <translation>兩個結果視為向量時夾角的餘弦；1 表示方向相同。</translation>
    </message>
    <message>
        <source>Mean of the squared differences.</source>
        <translation>差的平方的平均。</translation>
    </message>
    <message>
        <source>Largest difference of a single value.</source>
        <translation>單一值的最大差異。</translation>
    </message>
    <message>
        <source>Mean of the differences with their sign: a shift of all values shows here.</source>
        <translation>帶正負號之差的平均：整體偏移會顯示在此。</translation>
    </message>
    <message>
        <source>The part of the squared error that comes from rounding to the grid.</source>
        <translation>平方誤差中來自捨入到格點的部分。</translation>
    </message>
    <message>
        <source>The part of the squared error that comes from values outside of the range.</source>
        <translation>平方誤差中來自超出範圍之值的部分。</translation>
    </message>
    <message>
        <source>Share of the values that lie outside of the quantized range and are cut to its ends.</source>
        <translation>超出量化範圍而被截到兩端之值的比例。</translation>
    </message>
    <message>
        <source>Root of the mean squared error in steps of the grid; rounding alone gives about 0.29.</source>
        <translation>均方根誤差，以格點步距計；僅有捨入時約為 0.29。</translation>
    </message>
    <message>
        <source>How many different integers occur.</source>
        <translation>實際出現的不同整數個數。</translation>
    </message>
    <message>
        <source>How many integers there are to choose from.</source>
        <translation>可用的整數個數。</translation>
    </message>
    <message>
        <source>By how many integer steps the two results differ at most.</source>
        <translation>兩個結果最多相差幾個整數步距。</translation>
    </message>
    <message>
        <source>How many nodes read a value. A node with very many is a hub; focus does not walk through it.</source>
        <translation>讀取某值的節點數；數量極多的節點是樞紐，聚焦不會穿越它。</translation>
    </message>
    <message>
        <source>The point of a sharing group whose observer is made first. A point can only share with one that is made before it.</source>
        <translation>共用群組中最先建立觀察器的點；一個點只能與先於它建立的點共用。</translation>
    </message>
    <message>
        <source>Says that a point uses the observer of another point, so both have the same scale and zero point.</source>
        <translation>表示某點使用另一點的觀察器，因此兩者的縮放與零點相同。</translation>
    </message>
    <message>
        <source>Says that a point&apos;s parameters are computed from those of others, as an int32 bias is from input and weight.</source>
        <translation>表示某點的參數由其他點計算而得，例如 int32 偏差由輸入與權重而來。</translation>
    </message>
    <message>
        <source>Gives scale and zero point instead of observing values, as for a sigmoid.</source>
        <translation>直接給定縮放與零點而不觀測，例如 sigmoid。</translation>
    </message>
    <message>
        <source>Operators beside each other that XNNPACK takes over as one piece; between partitions values are handed back.</source>
        <translation>由 XNNPACK 整段接手的相鄰運算；各分區之間會交回數值。</translation>
    </message>
    <message>
        <source>What the quantizer asks for at a node: a spec for each input and for the output.</source>
        <translation>量化器對節點的要求：每個輸入與輸出各一個規格。</translation>
    </message>
    <message>
        <source>Running the model on sample data, so that observers see typical values.</source>
        <translation>以樣本資料執行模型，讓觀察器見到典型的值。</translation>
    </message>
    <message>
        <source>A value in the graph, under the name that PyTorch gave it.</source>
        <translation>圖中的一個值，以 PyTorch 給的名稱表示。</translation>
    </message>
    <message>
        <source>The operator that makes the value.</source>
        <translation>產生該值的運算。</translation>
    </message>
    <message>
        <source>What is asked for at each input.</source>
        <translation>對每個輸入的要求。</translation>
    </message>
    <message>
        <source>What is asked for at the output.</source>
        <translation>對輸出的要求。</translation>
    </message>
    <message>
        <source>Why it is so, in one sentence.</source>
        <translation>原因，一句話說明。</translation>
    </message>
    <message>
        <source>Where a chain of unquantized operators begins: what to look at first.</source>
        <translation>一連串未量化運算的起點：應先檢視之處。</translation>
    </message>
    <message>
        <source>Where the chain begins under torchao&apos;s quantizer.</source>
        <translation>在 torchao 量化器下這一串的起點。</translation>
    </message>
    <message>
        <source>Where the chain begins under ExecuTorch&apos;s quantizer.</source>
        <translation>在 ExecuTorch 量化器下這一串的起點。</translation>
    </message>
    <message>
        <source>Why torchao&apos;s XNNPACK quantizer leaves the operator in float, or which rule took it.</source>
        <translation>torchao 的 XNNPACK 量化器為何讓該運算維持浮點，或哪條規則採用了它。</translation>
    </message>
    <message>
        <source>Why ExecuTorch&apos;s XNNPACK quantizer leaves the operator in float, or which rule took it.</source>
        <translation>ExecuTorch 的 XNNPACK 量化器為何讓該運算維持浮點，或哪條規則採用了它。</translation>
    </message>
    <message>
        <source>Points that use one observer.</source>
        <translation>使用同一個觀察器的點。</translation>
    </message>
    <message>
        <source>The outputs and edges of the group: “a → b” is what b reads of a.</source>
        <translation>群組中的輸出與邊：「a → b」是 b 從 a 讀取的值。</translation>
    </message>
    <message>
        <source>Number of operators in the exported graph.</source>
        <translation>匯出圖中的運算數。</translation>
    </message>
    <message>
        <source>Number of operators in the prepared graph.</source>
        <translation>準備後圖中的運算數。</translation>
    </message>
    <message>
        <source>Number of operators in the converted graph.</source>
        <translation>轉換後圖中的運算數。</translation>
    </message>
    <message>
        <source>How many more there are than in the stage before.</source>
        <translation>比前一階段多幾個。</translation>
    </message>
    <message>
        <source>Note: worth knowing. Warning: probably not what you want. Error: a stage was not reached.</source>
        <translation>說明：值得知道。警告：可能不是您要的。錯誤：有階段未完成。</translation>
    </message>
    <message>
        <source>The node or file it is about.</source>
        <translation>所關乎的節點或檔案。</translation>
    </message>
    <message>
        <source>What was noticed, in one sentence.</source>
        <translation>注意到的情形，一句話說明。</translation>
    </message>
    <message>
        <source>A short name that stays the same, for searching.</source>
        <translation>固定不變的短名稱，便於搜尋。</translation>
    </message>
    <message>
        <source>Which computation: float, simulated int8, or XNNPACK.</source>
        <translation>哪種計算：浮點、模擬 int8 或 XNNPACK。</translation>
    </message>
    <message>
        <source>The run that the figures are measured against.</source>
        <translation>作為比較基準的執行。</translation>
    </message>
    <message>
        <source>The value in the graph that is quantized.</source>
        <translation>圖中被量化的值。</translation>
    </message>
    <message>
        <source>Weight or activation.</source>
        <translation>權重或啟動值。</translation>
    </message>
    <message>
        <source>The integer type that values are stored in.</source>
        <translation>儲存值的整數型別。</translation>
    </message>
    <message>
        <source>The integers that may occur.</source>
        <translation>可出現的整數範圍。</translation>
    </message>
    <message>
        <source>The dimension along which each channel has its own scale.</source>
        <translation>各通道有自己縮放的維度。</translation>
    </message>
    <message>
        <source>Nodes that you marked with Ctrl+B.</source>
        <translation>以 Ctrl+B 標記的節點。</translation>
    </message>
    <message>
        <source>What you wrote about the node.</source>
        <translation>您對節點寫下的文字。</translation>
    </message>
    <message>
        <source>A known illness of quantized models.</source>
        <translation>量化模型的已知毛病。</translation>
    </message>
    <message>
        <source>The numbers that show it.</source>
        <translation>顯示它的數字。</translation>
    </message>
    <message>
        <source>The edit that would help; a button makes it.</source>
        <translation>有幫助的編輯；按鈕即可執行。</translation>
    </message>
    <message>
        <source>The engine that computes the operator in XNNPACK&apos;s run.</source>
        <translation>在 XNNPACK 執行中計算此運算的引擎。</translation>
    </message>
    <message>
        <source>The XNNPACK kernel that was chosen.</source>
        <translation>所選的 XNNPACK 核心。</translation>
    </message>
    <message>
        <source>Time in the kernel, median of the runs.</source>
        <translation>在核心中的時間，取各次執行的中位數。</translation>
    </message>
    <message>
        <source>How many operators are in the partition.</source>
        <translation>分區中的運算數。</translation>
    </message>
    <message>
        <source>How many of them compute with integers.</source>
        <translation>其中以整數計算的運算數。</translation>
    </message>
    <message>
        <source>Conversions between float and integers that the partition adds.</source>
        <translation>分區所增加的浮點與整數之間的轉換。</translation>
    </message>
    <message>
        <source>Changes of memory layout that the partition adds.</source>
        <translation>分區所增加的記憶體排列變更。</translation>
    </message>
    <message>
        <source>How many kernels XNNPACK calls for it.</source>
        <translation>XNNPACK 為此呼叫的核心數。</translation>
    </message>
    <message>
        <source>Samples that were put into the right class.</source>
        <translation>分到正確類別的樣本數。</translation>
    </message>
    <message>
        <source>Samples that were looked at.</source>
        <translation>檢視的樣本數。</translation>
    </message>
    <message>
        <source>Share of the samples that were put into the right class.</source>
        <translation>分到正確類別的樣本比例。</translation>
    </message>
    <message>
        <source>Where the true accuracy lies with 95 % confidence (Wilson).</source>
        <translation>真正的正確率以 95 % 信心水準所在的區間（Wilson）。</translation>
    </message>
    <message>
        <source>Share of the samples that get the same class in both runs.</source>
        <translation>兩次執行得到相同類別的樣本比例。</translation>
    </message>
    <message>
        <source>Samples that were wrong and are right now.</source>
        <translation>原本錯誤、現在正確的樣本。</translation>
    </message>
    <message>
        <source>Samples that were right and are wrong now.</source>
        <translation>原本正確、現在錯誤的樣本。</translation>
    </message>
    <message>
        <source>Difference of the accuracies in percentage points.</source>
        <translation>正確率之差，以百分點計。</translation>
    </message>
    <message>
        <source>How likely so large a difference is by chance alone. Below 0.05 it is hardly chance.</source>
        <translation>僅憑偶然出現這麼大差異的機率；低於 0.05 幾乎不是偶然。</translation>
    </message>
    <message>
        <source>Number of the sample in the data, from 0.</source>
        <translation>樣本在資料中的編號，從 0 起。</translation>
    </message>
    <message>
        <source>The class that the data say is right.</source>
        <translation>資料所標示的正確類別。</translation>
    </message>
    <message>
        <source>The class that the float model chose.</source>
        <translation>浮點模型所選的類別。</translation>
    </message>
    <message>
        <source>The class that the simulated int8 model chose.</source>
        <translation>模擬 int8 模型所選的類別。</translation>
    </message>
    <message>
        <source>The class that XNNPACK&apos;s run chose.</source>
        <translation>XNNPACK 執行所選的類別。</translation>
    </message>
    <message>
        <source>When it began.</source>
        <translation>開始的時間。</translation>
    </message>
    <message>
        <source>What was run or said; stages stand below the run they belong to.</source>
        <translation>執行或說明的事項；各階段列在所屬執行之下。</translation>
    </message>
    <message>
        <source>How long it took, in milliseconds.</source>
        <translation>所花時間，以毫秒計。</translation>
    </message>
</context>
<context>
    <name>Help</name>
    <message>
        <source>Recipes</source>
        <translation>配方</translation>
    </message>
    <message>
        <source>The present recipe beside another one: where they differ, point by point, and what each costs. The title of a pane offers the other one&apos;s stages, too.</source>
        <translation>目前的配方與另一個並列：逐點顯示不同之處，以及各自的代價。窗格標題也提供另一個配方的階段。</translation>
    </message>
    <message>
        <source>Convergence</source>
        <translation>收斂</translation>
    </message>
    <message>
        <source>How good the outputs are when only the first batches are used for calibration: whether more data would help.</source>
        <translation>只用前幾批資料校準時輸出有多好：更多資料是否有幫助。</translation>
    </message>
    <message>
        <source>The window</source>
        <translation>視窗</translation>
    </message>
    <message>
        <source>Opens a model and shows its quantization stage by stage. The panes show graphs, the tables below them numbers, the inspector at the right what is selected.</source>
        <translation>開啟模型並逐階段顯示其量化。上方窗格顯示圖，下方表格顯示數字，右側檢視面板顯示選取的項目。</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>find nodes, tables and commands</source>
        <translation>尋找節點、表格與命令</translation>
    </message>
    <message>
        <source>F5</source>
        <translation>F5</translation>
    </message>
    <message>
        <source>run all stages</source>
        <translation>執行所有階段</translation>
    </message>
    <message>
        <source>F1</source>
        <translation>F1</translation>
    </message>
    <message>
        <source>all keys</source>
        <translation>所有按鍵</translation>
    </message>
    <message>
        <source>A graph</source>
        <translation>圖</translation>
    </message>
    <message>
        <source>The graph of one stage. Rectangles are operators, hexagons observers, small triangles quantize and dequantize; thick lines carry integers. Drag an observer, or a spot at an operator&apos;s edge, onto another one to share its observer.</source>
        <translation>一個階段的圖。矩形是運算，六邊形是觀察器，小三角形是 quantize 與 dequantize；粗線傳遞整數。把觀察器或運算邊緣的小圓點拖到另一個上，即可共用其觀察器。</translation>
    </message>
    <message>
        <source>Up, Down</source>
        <translation>上、下</translation>
    </message>
    <message>
        <source>walk along an edge</source>
        <translation>沿邊移動</translation>
    </message>
    <message>
        <source>Left, Right</source>
        <translation>左、右</translation>
    </message>
    <message>
        <source>go to what stands beside</source>
        <translation>移到旁邊的項目</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>focus on the node</source>
        <translation>聚焦於該節點</translation>
    </message>
    <message>
        <source>Space or 0</source>
        <translation>空白鍵或 0</translation>
    </message>
    <message>
        <source>fit all</source>
        <translation>全部顯示</translation>
    </message>
    <message>
        <source>+, −, wheel</source>
        <translation>+、−、滾輪</translation>
    </message>
    <message>
        <source>zoom</source>
        <translation>縮放</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>select nothing, or give a drag up</source>
        <translation>取消選取，或放棄拖曳</translation>
    </message>
    <message>
        <source>Inspector</source>
        <translation>檢視面板</translation>
    </message>
    <message>
        <source>All about the selected node: its call, its annotation as a form to edit, the values its observer saw, what became of it in the other stages, and what the file says of it.</source>
        <translation>選取節點的一切：呼叫、可編輯的標註表單、觀察器見到的值、在其他階段的對應，以及檔案中的資訊。</translation>
    </message>
    <message>
        <source>Tab</source>
        <translation>Tab</translation>
    </message>
    <message>
        <source>next field</source>
        <translation>下一個欄位</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>空白鍵</translation>
    </message>
    <message>
        <source>open a list of choices</source>
        <translation>開啟選項清單</translation>
    </message>
    <message>
        <source>Ctrl+Z</source>
        <translation>Ctrl+Z</translation>
    </message>
    <message>
        <source>undo the last edit</source>
        <translation>復原上一次編輯</translation>
    </message>
    <message>
        <source>Modules</source>
        <translation>模組</translation>
    </message>
    <message>
        <source>The modules of the model with how much of each is quantized. A click selects the operators in it.</source>
        <translation>模型中的模組，以及各有多少已量化；點選可選取其中的運算。</translation>
    </message>
    <message>
        <source>next module</source>
        <translation>下一個模組</translation>
    </message>
    <message>
        <source>close, open</source>
        <translation>收合、展開</translation>
    </message>
    <message>
        <source>Focus</source>
        <translation>聚焦</translation>
    </message>
    <message>
        <source>Which part of the graph is shown: the focus nodes and what lies within so many hops of them. Observers, q and dq and weights use up no hops.</source>
        <translation>顯示圖的哪一部分：聚焦節點以及其若干步之內的節點；觀察器、q/dq 與權重不計步數。</translation>
    </message>
    <message>
        <source>Ctrl+F</source>
        <translation>Ctrl+F</translation>
    </message>
    <message>
        <source>focus on the selection</source>
        <translation>聚焦於選取項目</translation>
    </message>
    <message>
        <source>Ctrl+]</source>
        <translation>Ctrl+]</translation>
    </message>
    <message>
        <source>more hops</source>
        <translation>增加步數</translation>
    </message>
    <message>
        <source>Ctrl+[</source>
        <translation>Ctrl+[</translation>
    </message>
    <message>
        <source>fewer hops</source>
        <translation>減少步數</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>back</source>
        <translation>上一步</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>階段</translation>
    </message>
    <message>
        <source>How far the model is: exported, annotated, prepared, calibrated, converted, run by XNNPACK. Each step shows what it has added.</source>
        <translation>模型進行到哪裡：匯出、標註、準備、校準、轉換、由 XNNPACK 執行；每一步顯示其增加的內容。</translation>
    </message>
    <message>
        <source>F10</source>
        <translation>F10</translation>
    </message>
    <message>
        <source>run the next stage</source>
        <translation>執行下一階段</translation>
    </message>
    <message>
        <source>F9</source>
        <translation>F9</translation>
    </message>
    <message>
        <source>hide the results</source>
        <translation>隱藏結果</translation>
    </message>
    <message>
        <source>Tool bar</source>
        <translation>工具列</translation>
    </message>
    <message>
        <source>What is quantized, by which quantizer, and with which data; run and compare.</source>
        <translation>量化什麼、使用哪個量化器與哪些資料；執行與比較。</translation>
    </message>
    <message>
        <source>Ctrl+O</source>
        <translation>Ctrl+O</translation>
    </message>
    <message>
        <source>open a model</source>
        <translation>開啟模型</translation>
    </message>
    <message>
        <source>F6</source>
        <translation>F6</translation>
    </message>
    <message>
        <source>compare</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>find</source>
        <translation>尋找</translation>
    </message>
    <message>
        <source>Start page</source>
        <translation>起始頁</translation>
    </message>
    <message>
        <source>Built-in models, files used last, and a place to drop a .pt2 file on.</source>
        <translation>內建模型、最近使用的檔案，以及可拖放 .pt2 檔案的地方。</translation>
    </message>
    <message>
        <source>next model</source>
        <translation>下一個模型</translation>
    </message>
    <message>
        <source>open it</source>
        <translation>開啟</translation>
    </message>
    <message>
        <source>Status line</source>
        <translation>狀態列</translation>
    </message>
    <message>
        <source>What is being done, how long it will still take, and Cancel.</source>
        <translation>正在進行的工作、剩餘時間與取消。</translation>
    </message>
    <message>
        <source>Ctrl+.</source>
        <translation>Ctrl+.</translation>
    </message>
    <message>
        <source>cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Op counts</source>
        <translation>運算數</translation>
    </message>
    <message>
        <source>How many operators of each kind the stages have. What a stage added or took away stands first.</source>
        <translation>各階段中每種運算的數量；有增減的排在前面。</translation>
    </message>
    <message>
        <source>next row; its nodes are selected</source>
        <translation>下一列；選取其節點</translation>
    </message>
    <message>
        <source>to what comes next</source>
        <translation>移到下一個部分</translation>
    </message>
    <message>
        <source>Observers</source>
        <translation>觀察器</translation>
    </message>
    <message>
        <source>Every observer with what it stands between and, once calibrated, its scale and zero point.</source>
        <translation>每個觀察器的所在位置，校準後並有縮放與零點。</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>標註</translation>
    </message>
    <message>
        <source>What the quantizer asks for at each operator, with your edits.</source>
        <translation>量化器對每個運算的要求，包含您的編輯。</translation>
    </message>
    <message>
        <source>Not quantized</source>
        <translation>未量化</translation>
    </message>
    <message>
        <source>Operators that stay in float under at least one of the two quantizers, why, and where the chain begins.</source>
        <translation>在兩個量化器中至少一個之下維持浮點的運算、原因，以及這一串的起點。</translation>
    </message>
    <message>
        <source>Sharing</source>
        <translation>共用</translation>
    </message>
    <message>
        <source>Which points use one observer and so have the same scale and zero point.</source>
        <translation>哪些點使用同一個觀察器，因而縮放與零點相同。</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>問題</translation>
    </message>
    <message>
        <source>What was noticed on the way: in the file, in the annotations, in the data. A row selects its node.</source>
        <translation>過程中注意到的情形：檔案、標註、資料。點選一列會選取其節點。</translation>
    </message>
    <message>
        <source>Partitions</source>
        <translation>分區</translation>
    </message>
    <message>
        <source>What XNNPACK takes over, operator by operator, and why it leaves others to LibTorch.</source>
        <translation>XNNPACK 逐一接手哪些運算，以及為何把其他運算留給 LibTorch。</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>比較</translation>
    </message>
    <message>
        <source>Float, simulated int8 and XNNPACK against each other: outputs, operators and quantized values, the worst first; with labelled data the accuracy, too.</source>
        <translation>浮點、模擬 int8 與 XNNPACK 的相互比較：輸出、運算與量化的值，最差的在前；有標籤資料時也有正確率。</translation>
    </message>
    <message>
        <source>compare anew</source>
        <translation>重新比較</translation>
    </message>
    <message>
        <source>Diagnosis</source>
        <translation>診斷</translation>
    </message>
    <message>
        <source>Known illnesses of quantized models that this one shows, with the numbers and the edit that would help.</source>
        <translation>此模型出現的量化常見毛病，附上數字與有幫助的編輯。</translation>
    </message>
    <message>
        <source>Bookmarks</source>
        <translation>書籤</translation>
    </message>
    <message>
        <source>Nodes that you marked or wrote a note on.</source>
        <translation>您標記或寫下備註的節點。</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>bookmark the selected node</source>
        <translation>為選取的節點加上書籤</translation>
    </message>
    <message>
        <source>Sensitivity</source>
        <translation>敏感度</translation>
    </message>
    <message>
        <source>How much each sharing group costs when it is quantized alone, or left in float alone; and which groups to keep in float to reach a goal.</source>
        <translation>每個共用群組單獨量化、或單獨維持浮點時的代價；以及為達目標應保持浮點的群組。</translation>
    </message>
    <message>
        <source>F7</source>
        <translation>F7</translation>
    </message>
    <message>
        <source>measure</source>
        <translation>量測</translation>
    </message>
    <message>
        <source>stop; what is known stays</source>
        <translation>停止；已知的結果保留</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>記錄</translation>
    </message>
    <message>
        <source>What was run when, how long it and its stages took, and what was said.</source>
        <translation>何時執行了什麼、各階段花費多久，以及曾顯示的訊息。</translation>
    </message>
</context>
<context>
    <name>pt2e::ui::ContextHelp</name>
    <message>
        <source>Help</source>
        <translation>說明</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>按鍵</translation>
    </message>
    <message>
        <source>Words</source>
        <translation>用語</translation>
    </message>
    <message>
        <source>F1 lists all keys.</source>
        <translation>F1 列出所有按鍵。</translation>
    </message>
</context>
<context>
    <name>Copy</name>
    <message>
        <source>Copy as text</source>
        <translation>複製為文字</translation>
    </message>
    <message>
        <source>Copy as CSV</source>
        <translation>複製為 CSV</translation>
    </message>
    <message>
        <source>Copy as JSON</source>
        <translation>複製為 JSON</translation>
    </message>
</context>
</TS>
